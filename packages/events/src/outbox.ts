/**
 * Transactional outbox: an event or message is written in the transaction that makes it true, and the
 * relay sends it once that has committed.
 *
 * - `appendEvent`: something that owners may subscribe to. Goes to the queue `events`, which the
 *   webhook worker consumes.
 * - `appendMessage`: something that another service must know. Goes to that service's inbox.
 *
 * Services append by `tx.append(…)` of service-kit's database, which wakes the relay after the commit.
 * `requestId`, of the request that caused it, is in the log lines of every service on the way, and `traceparent`
 * names the trace that every service on the way adds its spans to. Both are
 * delivered at least once, in no particular order; consumers recognise duplicates by the id.
 * Raw SQL: appending an event is measured by the benchmarks.
 */
import type { Message, MessageKind } from '@atrium/contracts/account-messages';
import type { EventDataByName, EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { Inbox } from '@atrium/contracts/queues';

/** Runs raw SQL, for example in a transaction of service-kit's `Database`. */
export interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** An event to append. */
export type NewEvent = {
  [Name in EventName]: {
    event: Name;
    /** The account whose subscriptions receive it. */
    accountId: string;
    data: EventDataByName[Name];
    /** Unix time in milliseconds; now by default. */
    nowMs?: number | undefined;
  };
}[EventName];

/** An event of a product, which is not one of Atrium's. */
export interface ProductEvent {
  /** `evt_…` */
  id: string;
  event: string;
  accountId: string;
  data: Record<string, unknown>;
  /** When it happened, if its publisher says so. */
  occurredAt: Date | null;
  nowMs: number;
}

/** What an entry is for. */
interface Cause {
  requestId?: string | undefined;
  traceparent?: string | undefined;
}

/** An event, with the request that caused it. */
export type CausedEvent = (NewEvent | ProductEvent) & { requestId: string | undefined } & Cause;

/** A message to append. */
export type NewMessage = {
  [Kind in MessageKind]: {
    queue: Inbox;
    kind: Kind;
    accountId: string;
    data: Extract<Message, { kind: Kind }>['data'];
    /** Unix time in milliseconds; now by default. */
    nowMs?: number | undefined;
    /** Sent this long after the commit at the earliest; at once by default. */
    delayMs?: number | undefined;
  };
}[MessageKind];

/**
 * Writes an event to the outbox of the service.
 *
 * @returns the id of the event (`evt_…`).
 */
export async function appendEvent(
  sql: SqlExecutor,
  event: NewEvent,
  { requestId, traceparent }: Cause = {},
): Promise<string> {
  const row = toRow({ ...event, requestId, traceparent });
  await sql.query(
    `INSERT INTO outbox (id, event, account_id, data, request_id, traceparent, created_at)
     VALUES ($1, $2, $3, $4::json, $5, $6, $7::timestamptz)`,
    [row.id, event.event, event.accountId, row.data, row.requestId, row.traceparent, row.createdAt],
  );
  return row.id;
}

/**
 * Writes a message to another service to the outbox.
 *
 * @returns the id of the message (`msg_…`), the same however often it arrives.
 */
export async function appendMessage(
  sql: SqlExecutor,
  message: NewMessage,
  { requestId, traceparent }: Cause = {},
): Promise<string> {
  const nowMs = message.nowMs ?? Date.now();
  const id = newId('msg', nowMs);
  await sql.query(
    `INSERT INTO outbox (id, queue, event, account_id, data, request_id, traceparent, created_at, due_at)
     VALUES ($1, $2, $3, $4, $5::json, $6, $7, $8::timestamptz,
       CASE WHEN $9::float8 > 0 THEN now() + make_interval(secs => $9::float8 / 1000) END)`,
    [
      id,
      message.queue,
      message.kind,
      message.accountId,
      JSON.stringify(message.data),
      requestId ?? null,
      traceparent ?? null,
      new Date(nowMs).toISOString(),
      message.delayMs ?? 0,
    ],
  );
  return id;
}

/** Appends many events in one statement; the ids are in the order of the events. */
export async function appendEvents(
  sql: SqlExecutor,
  events: readonly CausedEvent[],
): Promise<string[]> {
  const rows = events.map((event) => ({ ...event, ...toRow(event) }));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  await sql.query(
    `INSERT INTO outbox (id, event, account_id, data, request_id, created_at, occurred_at, traceparent)
     SELECT id, event, account_id, data::json, request_id, created_at, occurred_at, traceparent
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[],
       $7::timestamptz[], $8::text[])
       AS new (id, event, account_id, data, request_id, created_at, occurred_at, traceparent)`,
    [
      column('id'),
      column('event'),
      column('accountId'),
      column('data'),
      column('requestId'),
      column('createdAt'),
      column('occurredAt'),
      column('traceparent'),
    ],
  );
  return column('id');
}

function toRow(event: CausedEvent) {
  const nowMs = event.nowMs ?? Date.now();
  return {
    id: 'id' in event ? event.id : newId('evt', nowMs),
    occurredAt: 'occurredAt' in event ? event.occurredAt : null,
    data: JSON.stringify(event.data),
    requestId: event.requestId ?? null,
    traceparent: event.traceparent ?? null,
    createdAt: new Date(nowMs).toISOString(),
  };
}
