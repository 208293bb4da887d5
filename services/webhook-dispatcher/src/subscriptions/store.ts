import { newId } from '@atrium/contracts/ids';
import type { ListQuery } from '@atrium/contracts/lists';
import {
  type ChangeSubscriptionBody,
  type CreateSubscriptionBody,
  PREVIOUS_SECRET_HOURS,
  RESTORE_MINUTES,
  type SignatureKind,
  type Subscription,
} from '@atrium/contracts/webhooks/webhooks';
import type { Origin } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Database, Tx } from '../database.ts';
import type { Subscription as SubscriptionRow } from '../generated/client.ts';
import { destinationChange, shownDestination } from './destination.ts';
import {
  assertPlanAllowsOneMore,
  lockSubscription,
  lockSubscriptionsOf,
  missingForNewOrigin,
  type PlannedAccount,
} from './locked-subscription.ts';
import { filterChange, filterOf } from './filter-store.ts';
import { namespaceChange, namespaceOfAll } from './namespace.ts';
import type { Owner } from './owner.ts';
import { forgetPostponements } from './postponements.ts';
import { openHeaders, sealHeaders, sealSecret } from './secrets.ts';

export interface Rotation {
  secret: string;
  /** Until then Service-Signature is made with the previous secret; null for the new one at once. */
  serviceSignatureSwitchAt: Date | null;
  /** As before when undefined. */
  signature: SignatureKind | undefined;
}

/** `badSwitchTime`: it is past, or later than the previous secret is valid. Nothing was changed. */
export type RotationResult =
  | { kind: 'rotated'; previousSecretUntil: Date; publicKey: string | null }
  | { kind: 'missing' }
  | { kind: 'badSwitchTime' };

/**
 * `headersOfAnotherOrigin`: the URL leads to another origin and the custom headers, which often carry
 * the credentials of the old one, were not sent again. Nothing was changed.
 */
export type ChangeResult =
  | { kind: 'changed'; subscription: Subscription }
  | { kind: 'missing' }
  | { kind: 'headersOfAnotherOrigin' }
  /** Likewise of the credentials of a destination. */
  | { kind: 'credentialsOfAnotherOrigin' };

/**
 * Every query names the owner, so another account's subscription is not found. Nor is a deleted one,
 * whose rows wait to be purged.
 */
export interface SubscriptionStore {
  /** @throws HttpError 403 when the account has as many of them as its plan allows */
  create(
    tx: Tx,
    account: PlannedAccount,
    body: CreateSubscriptionBody & { secret: string; isListener?: boolean },
  ): Promise<Subscription>;
  list(
    owner: Owner,
    query: ListQuery,
  ): Promise<{ data: Subscription[]; nextCursor: string | null }>;
  findOwned(id: string, accountId: string): Promise<Subscription | undefined>;
  change(
    id: string,
    owner: Owner,
    change: ChangeSubscriptionBody,
    origin: Origin,
  ): Promise<ChangeResult>;
  rotateSecret(tx: Tx, id: string, accountId: string, rotation: Rotation): Promise<RotationResult>;
  remove(id: string, accountId: string): Promise<boolean>;
  /** Takes back a removal, if there is one, until the purge may begin. @throws HttpError as `create` does */
  restore(id: string, account: PlannedAccount, origin: Origin): Promise<Subscription | undefined>;
}

export interface SubscriptionStoreDeps {
  database: Database;
  keyRing: KeyRing;
  clockMs: () => number;
}

// Raw: it copies columns, and all times are by the clock of Postgres, as when they are read.
const ROTATE = `
  UPDATE subscriptions SET previous_sealed_secret = sealed_secret, sealed_secret = $3,
    previous_public_key = public_key, public_key = $5,
    previous_secret_until = now() + interval '${PREVIOUS_SECRET_HOURS} hours',
    service_signature_switch_at = $4::timestamptz, updated_at = now()
  WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL
    AND ($4::timestamptz IS NULL OR $4::timestamptz > now()
      AND $4::timestamptz <= now() + interval '${PREVIOUS_SECRET_HOURS} hours')
  RETURNING previous_secret_until AS "previousSecretUntil", public_key AS "publicKey"`;

// Raw: the purge compares this time with the clock of Postgres.
const REMOVE = `
  UPDATE subscriptions SET deleted_at = now()
  WHERE id = $1 AND account_id = $2 AND deleted_at IS NULL RETURNING id`;
const RESTORE = `
  UPDATE subscriptions SET deleted_at = NULL
  WHERE id = $1 AND account_id = $2 AND deleted_at > now() - interval '${RESTORE_MINUTES} minutes'`;

const kindOf = ({ publicKey }: { publicKey: string | null }): SignatureKind =>
  publicKey === null ? 'hmac' : 'ed25519';

export function createSubscriptionStore(deps: SubscriptionStoreDeps): SubscriptionStore {
  const { database, keyRing, clockMs } = deps;
  const now = () => new Date(clockMs());
  const owned = (id: string, accountId: string) => ({ id, accountId, deletedAt: null });

  function toSubscription(row: SubscriptionRow): Subscription {
    const { previousSecretUntil: until } = row;
    return {
      id: row.id,
      url: row.url,
      destination: shownDestination(keyRing, row.id, row.sealedDestination),
      events: row.events,
      description: row.description,
      headerNames: Object.keys(openHeaders(keyRing, row.id, row.sealedHeaders)),
      ...filterOf(row),
      rateLimitPerSecond: row.rateLimitPerSecond,
      enabled: row.enabled,
      disabledReason: row.disabledReason,
      paused: row.paused,
      listener: row.listenedAt !== null,
      signature: kindOf(row),
      publicKey: row.publicKey,
      failingSince: row.failingSince?.toISOString() ?? null,
      previousSecretValidUntil: until !== null && until > now() ? until.toISOString() : null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }

  return {
    async create(tx, account, body) {
      const { id: accountId } = account;
      const { url, events, description, headers, filter, rateLimitPerSecond, isListener } = body;
      const { secret, signature = 'hmac', destination } = body;
      const id = newId('whk', clockMs());
      const data = {
        id,
        accountId,
        url,
        events,
        namespace: namespaceOfAll(events),
        description: description ?? '',
        ...filterChange(filter),
        rateLimitPerSecond: rateLimitPerSecond ?? null,
        ...sealSecret(keyRing, id, { secret, signature }),
        sealedHeaders: sealHeaders(keyRing, id, headers ?? {}),
        ...destinationChange(keyRing, id, destination),
        ...(isListener === true ? { paused: true, listenedAt: now() } : {}),
      };
      await lockSubscriptionsOf(tx, accountId);
      await assertPlanAllowsOneMore(tx, account);
      return toSubscription(await tx.prisma.subscription.create({ data }));
    },

    async list({ accountId, namespace }, { limit, cursor }) {
      const before = decodeIdCursor(cursor);
      const rows = await database.prisma.subscription.findMany({
        where: {
          accountId,
          deletedAt: null,
          ...(before === undefined ? {} : { id: { lt: before } }),
          ...(namespace === null ? {} : { namespace }),
        },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      return toPage(rows.map(toSubscription), limit, ({ id }) => [id]);
    },

    async findOwned(id, accountId) {
      const row = await database.prisma.subscription.findFirst({ where: owned(id, accountId) });
      return row === null ? undefined : toSubscription(row);
    },

    change(id, owner, { headers: given, enabled, destination, filter, ...plain }, origin) {
      const { accountId, namespace } = owner;
      // What is not HTTP has no custom headers.
      const headers = destination !== undefined && destination.kind !== 'http' ? {} : given;
      const data = {
        ...plain,
        ...filterChange(filter),
        ...(headers === undefined ? {} : { sealedHeaders: sealHeaders(keyRing, id, headers) }),
        ...destinationChange(keyRing, id, destination),
        ...(enabled === undefined ? {} : { enabled, disabledReason: null }),
        updatedAt: now(),
      };
      return database.transaction(origin, async (tx): Promise<ChangeResult> => {
        const current = await lockSubscription(tx, id, accountId);
        if (current === undefined) return { kind: 'missing' };
        if (namespace !== null && current.namespace !== namespace) return { kind: 'missing' };
        const kept = missingForNewOrigin(current, { url: plain.url, headers, destination });
        if (kept !== undefined) return { kind: kept };
        const isResumed = plain.paused === false;
        const leadsElsewhere =
          destination !== undefined || (plain.url ?? current.url) !== current.url;
        // A new start: old failures must not disable it again at once.
        const failures = enabled === true || leadsElsewhere ? { failingSince: null } : {};
        const [row] = await tx.prisma.subscription.updateManyAndReturn({
          where: { ...owned(id, accountId), ...(isResumed ? { listenedAt: null } : {}) },
          data: { ...data, ...failures, ...namespaceChange(current.namespace, plain.events) },
        });
        if (row === undefined) return { kind: 'missing' };
        if (isResumed || enabled === true) await forgetPostponements(tx, id);
        return { kind: 'changed', subscription: toSubscription(row) };
      });
    },

    async rotateSecret(tx, id, accountId, { secret, serviceSignatureSwitchAt, signature }) {
      const current = await lockSubscription(tx, id, accountId);
      if (current === undefined) return { kind: 'missing' };
      const kind = signature ?? kindOf(current);
      const { sealedSecret, publicKey } = sealSecret(keyRing, id, { secret, signature: kind });
      const values = [id, accountId, sealedSecret, serviceSignatureSwitchAt, publicKey];
      const [rotated] = await tx.query<{ previousSecretUntil: Date; publicKey: string | null }>(
        ROTATE,
        values,
      );
      return rotated === undefined ? { kind: 'badSwitchTime' } : { kind: 'rotated', ...rotated };
    },

    async remove(id, accountId) {
      return (await database.query(REMOVE, [id, accountId])).length > 0;
    },

    restore(id, account, origin) {
      return database.transaction(origin, async (tx) => {
        await lockSubscriptionsOf(tx, account.id);
        const find = () => tx.prisma.subscription.findFirst({ where: owned(id, account.id) });
        let row = await find();
        if (row === null) {
          await assertPlanAllowsOneMore(tx, account);
          await tx.query(RESTORE, [id, account.id]);
          row = await find();
        }
        return row === null ? undefined : toSubscription(row);
      });
    },
  };
}
