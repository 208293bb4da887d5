import type { EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { ListQuery } from '@atrium/contracts/lists';
import {
  type ChangeSubscriptionBody,
  type CreateSubscriptionBody,
  MAX_SUBSCRIPTIONS,
  type Subscription,
} from '@atrium/contracts/webhooks';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import { TRANSACTION_LIMITS } from '@atrium/service-kit/database';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { PrismaClient, Subscription as SubscriptionRow } from '../generated/client.ts';
import { openHeaders, sealHeaders, sealingContexts } from './secrets.ts';

export interface Rotation {
  secret: string;
  previousSecretUntil: Date;
  /** Until then Service-Signature is made with the previous secret; null for the new one at once. */
  serviceSignatureSwitchAt: Date | null;
}

/**
 * Every query names the owner, so another account's subscription is not found. Nor is a deleted one,
 * whose rows wait to be purged.
 */
export interface SubscriptionStore {
  /** Undefined when the account has as many as it may. */
  create(
    accountId: string,
    body: CreateSubscriptionBody & { secret: string },
  ): Promise<Subscription | undefined>;
  list(
    accountId: string,
    query: ListQuery,
  ): Promise<{ data: Subscription[]; nextCursor: string | null }>;
  findOwned(id: string, accountId: string): Promise<Subscription | undefined>;
  change(
    id: string,
    accountId: string,
    change: ChangeSubscriptionBody,
  ): Promise<Subscription | undefined>;
  /** Whether there was such a subscription. */
  rotateSecret(id: string, accountId: string, rotation: Rotation): Promise<boolean>;
  remove(id: string, accountId: string): Promise<boolean>;
}

export interface SubscriptionStoreDeps {
  prisma: PrismaClient;
  keyRing: KeyRing;
  clockMs: () => number;
}

export function createSubscriptionStore(deps: SubscriptionStoreDeps): SubscriptionStore {
  const { prisma, keyRing, clockMs } = deps;
  const now = () => new Date(clockMs());
  const owned = (id: string, accountId: string) => ({ id, accountId, deletedAt: null });

  function toSubscription(row: SubscriptionRow): Subscription {
    return {
      id: row.id,
      url: row.url,
      events: row.events as EventName[],
      description: row.description,
      headerNames: Object.keys(openHeaders(keyRing, row.id, row.sealedHeaders)),
      rateLimitPerSecond: row.rateLimitPerSecond,
      enabled: row.enabled,
      disabledReason: row.disabledReason,
      paused: row.paused,
      failingSince: row.failingSince?.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    };
  }

  return {
    async create(accountId, { url, events, description, headers, rateLimitPerSecond, secret }) {
      const id = newId('whk', clockMs());
      const data = {
        id,
        accountId,
        url,
        events,
        description: description ?? '',
        rateLimitPerSecond: rateLimitPerSecond ?? null,
        sealedSecret: keyRing.encrypt(secret, sealingContexts.secret(id)),
        sealedHeaders: sealHeaders(keyRing, id, headers ?? {}),
      };
      const row = await prisma.$transaction(async (tx) => {
        // Raw: an advisory lock. One creation at a time for an account makes the count exact.
        await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${accountId}, 0))`;
        const count = await tx.subscription.count({ where: { accountId, deletedAt: null } });
        return count < MAX_SUBSCRIPTIONS ? tx.subscription.create({ data }) : undefined;
      }, TRANSACTION_LIMITS);
      return row && toSubscription(row);
    },

    async list(accountId, { limit, cursor }) {
      const before = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0];
      const rows = await prisma.subscription.findMany({
        where: {
          accountId,
          deletedAt: null,
          ...(before === undefined ? {} : { id: { lt: String(before) } }),
        },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      return toPage(rows.map(toSubscription), limit, ({ id }) => [id]);
    },

    async findOwned(id, accountId) {
      const row = await prisma.subscription.findFirst({ where: owned(id, accountId) });
      return row === null ? undefined : toSubscription(row);
    },

    async change(id, accountId, { headers, enabled, ...plain }) {
      const [row] = await prisma.subscription.updateManyAndReturn({
        where: owned(id, accountId),
        data: {
          ...plain,
          ...(headers === undefined ? {} : { sealedHeaders: sealHeaders(keyRing, id, headers) }),
          ...(enabled === undefined ? {} : { enabled, disabledReason: null }),
          // A new start: old failures must not disable it again at once.
          ...(enabled === true ? { failingSince: null } : {}),
          updatedAt: now(),
        },
      });
      return row && toSubscription(row);
    },

    async rotateSecret(id, accountId, { secret, previousSecretUntil, serviceSignatureSwitchAt }) {
      const sealed = keyRing.encrypt(secret, sealingContexts.secret(id));
      // Raw: Prisma cannot copy a column.
      const count = await prisma.$executeRaw`
        UPDATE subscriptions SET previous_sealed_secret = sealed_secret, sealed_secret = ${sealed},
          previous_secret_until = ${previousSecretUntil},
          service_signature_switch_at = ${serviceSignatureSwitchAt}, updated_at = ${now()}
        WHERE id = ${id} AND account_id = ${accountId} AND deleted_at IS NULL`;
      return count > 0;
    },

    async remove(id, accountId) {
      const { count } = await prisma.subscription.updateMany({
        where: owned(id, accountId),
        data: { deletedAt: now(), enabled: false, disabledReason: null },
      });
      return count > 0;
    },
  };
}
