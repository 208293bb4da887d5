import { createHash } from 'node:crypto';
import { namespaceOf } from '@atrium/contracts/event-names';
import type { EventEnvelope } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import {
  DELIVERY_BODY_MAX_BYTES,
  type EventToPublish,
  type PublishedEvent,
} from '@atrium/contracts/webhooks/publishing';
import type { Account } from '@atrium/service-kit/authentication';
import { HttpError, validationError } from '@atrium/service-kit/http-error';
import { canonicalJson } from '../canonical-json.ts';
import type { Database, Tx } from '../database.ts';
import { findOwnEventTypes, type OwnEventType } from '../event-types/store.ts';
import type { InTurn } from '../event-types/turns.ts';
import type { FindValidator } from '../event-types/validators.ts';
import { findRecipients, ONE_RECIPIENT } from './recipients.ts';
import { claimIds, type IdentifiedEvent, keyOf } from './store.ts';

export interface PublishDeps {
  database: Database;
  findValidator: FindValidator;
  inTurn: InTurn;
  /** The bytes that every attempt for an event sends. */
  bodyOf: (event: EventEnvelope) => string;
  clockMs: () => number;
}

interface Publication {
  account: Account;
  /** A malformed event is replaced by the reason why it is refused. */
  events: readonly (EventToPublish | HttpError)[];
  requestId: string;
}

interface Prepared {
  envelope: EventEnvelope;
  /** Undefined without an id of the publisher. */
  identified: IdentifiedEvent | undefined;
}

/**
 * Writes the events to the outbox, all that are valid in one transaction.
 *
 * @returns for each event, in their order, what became of it, or why it was refused
 */
export async function publishEvents(
  deps: PublishDeps,
  publication: Publication,
): Promise<(PublishedEvent | HttpError)[]> {
  const { account, events, requestId } = publication;
  const wellFormed = events.flatMap((event) => (event instanceof HttpError ? [] : event));
  const names = [...new Set(wellFormed.map(({ type }) => type))];
  const found = await findOwnEventTypes(deps.database, { names, accountId: account.id });
  const types = new Map(found.map((type) => [type.name, type]));
  const externalIds = wellFormed.flatMap(({ externalId }) => externalId ?? []);
  const recipients = await findRecipients(deps.database, [...new Set(externalIds)]);
  const prepared: (Prepared | HttpError)[] = [];
  const context = { types, account, recipients };
  for (const event of events) {
    try {
      if (event instanceof HttpError) throw event;
      prepared.push(await deps.inTurn(account.id, () => prepare(deps, event, context)));
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      prepared.push(error);
    }
  }
  return deps.database.transaction({ requestId }, (tx) => append(tx, prepared, deps.clockMs()));
}

interface Context {
  types: ReadonlyMap<string, OwnEventType>;
  account: Account;
  /** Accounts by their external ids. */
  recipients: ReadonlyMap<string, string>;
}

/** @throws HttpError saying why the event is refused */
function prepare(
  { findValidator, bodyOf, clockMs }: PublishDeps,
  { type, accountId: given, externalId, data, id, occurredAt }: EventToPublish,
  { types, account, recipients }: Context,
): Prepared {
  const known = types.get(type);
  if (known === undefined || known.isArchived) {
    throw new HttpError('event-type-unknown', `${type} is no event type of yours, or archived`);
  }
  if (given !== undefined && externalId !== undefined) throw validationError(ONE_RECIPIENT);
  const { trustedApplicationId } = known.namespace;
  const isTrusted = trustedApplicationId !== null && trustedApplicationId === account.applicationId;
  const accountId = externalId === undefined ? (given ?? account.id) : recipients.get(externalId);
  // Nobody else learns whether an external id is known, not even of their own account.
  const isOwn = externalId === undefined && accountId === account.id;
  if (!isOwn && !isTrusted) throw new HttpError('recipient-not-allowed');
  if (accountId === undefined) throw new HttpError('recipient-unknown');
  const occurred = occurredAt === undefined ? undefined : new Date(occurredAt);
  // By UTC, in which it is passed on.
  const year = occurred?.getUTCFullYear() ?? 0;
  if (!(year >= 0 && year <= 9_999)) {
    throw validationError('occurredAt must be a real time of the years 0000 to 9999');
  }
  // Throws for a schema that was stored under wider limits.
  const mismatch = findValidator(known.schema)(data);
  if (mismatch !== undefined) throw new HttpError('event-mismatch', mismatch);
  const nowMs = clockMs();
  const envelope: EventEnvelope = {
    id: newId('evt', nowMs),
    event: type,
    accountId,
    createdAt: new Date(nowMs).toISOString(),
    ...(occurred !== undefined && { occurredAt: occurred.toISOString() }),
    data: { ...data },
  };
  const bytes = Buffer.byteLength(bodyOf(envelope));
  if (bytes > DELIVERY_BODY_MAX_BYTES) {
    const message = `The body of the event has ${bytes} bytes, and at most ${DELIVERY_BODY_MAX_BYTES} are sent`;
    throw new HttpError('event-too-large', message);
  }
  return { envelope, identified: id === undefined ? undefined : identify(envelope, id) };
}

function identify({ id: eventId, event, ...content }: EventEnvelope, id: string): IdentifiedEvent {
  const { accountId, occurredAt = null, data } = content;
  const hash = createHash('sha256')
    .update(canonicalJson([event, accountId, occurredAt, data]))
    .digest();
  return { namespace: namespaceOf(event), id, hash, eventId };
}

async function append(
  tx: Tx,
  prepared: readonly (Prepared | HttpError)[],
  nowMs: number,
): Promise<(PublishedEvent | HttpError)[]> {
  const known = await claimIds(
    tx,
    prepared.flatMap((each) => (each instanceof Error ? [] : (each.identified ?? []))),
  );
  const fresh: EventEnvelope[] = [];
  const outcomes = prepared.map((each): PublishedEvent | HttpError => {
    if (each instanceof Error) return each;
    const { envelope, identified } = each;
    const first = identified && known.get(keyOf(identified));
    if (identified !== undefined && first?.hash.equals(identified.hash) === false) {
      return new HttpError('event-id-used');
    }
    const { id } = envelope;
    const isDuplicate = first !== undefined && first.eventId !== id;
    if (!isDuplicate) fresh.push(envelope);
    return { id: first?.eventId ?? id, isDuplicate };
  });
  const { requestId } = tx;
  await tx.appendFor(
    fresh.map(({ createdAt: _createdAt, occurredAt, ...event }) => ({
      ...event,
      occurredAt: occurredAt === undefined ? null : new Date(occurredAt),
      nowMs,
      requestId,
    })),
  );
  return outcomes;
}
