/**
 * Transactional outbox: an event or message is written in the transaction that makes it true, and the
 * relay sends it once that has committed.
 *
 * - `appendEvent`: something that owners may subscribe to. Goes to the queue `events`, which the
 *   webhook worker consumes.
 * - `appendMessages`: what other services must know. Each goes to the inbox of its service.
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
 * Writes messages to other services to the outbox, in one statement.
 *
 * @returns their ids (`msg_…`), the same however often they arrive
 */
export async function appendMessages(
  sql: SqlExecutor,
  messages: readonly (NewMessage & Cause)[],
): Promise<string[]> {
  const rows = messages.map((message) => ({ ...message, ...toRow(message, 'msg') }));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  await sql.query(
    `INSERT INTO outbox (id, queue, event, account_id, data, request_id, traceparent, created_at, due_at)
     SELECT id, queue, kind, account_id, data::json, request_id, traceparent, created_at,
       CASE WHEN delay_ms > 0 THEN now() + make_interval(secs => delay_ms / 1000) END
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
       $8::timestamptz[], $9::float8[])
       AS new (id, queue, kind, account_id, data, request_id, traceparent, created_at, delay_ms)`,
    [
      column('id'),
      column('queue'),
      column('kind'),
      column('accountId'),
      column('data'),
      column('requestId'),
      column('traceparent'),
      column('createdAt'),
      rows.map(({ delayMs = 0 }) => delayMs),
    ],
  );
  return column('id');
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

function toRow(entry: CausedEvent | (NewMessage & Cause), prefix: 'evt' | 'msg' = 'evt') {
  const nowMs = entry.nowMs ?? Date.now();
  return {
    id: 'id' in entry ? entry.id : newId(prefix, nowMs),
    occurredAt: 'occurredAt' in entry ? entry.occurredAt : null,
    data: JSON.stringify(entry.data),
    requestId: entry.requestId ?? null,
    traceparent: entry.traceparent ?? null,
    createdAt: new Date(nowMs).toISOString(),
  };
}
