/**
 * The way out of a service. What has happened is written in the transaction that makes it true and
 * leaves by the relay once that has committed:
 *
 * - `appendEvent(sql, { event, accountId, data, requestId?, nowMs? })`: something that owners may
 *   subscribe to. Goes to the queue `events`, whose consumer is the webhook worker.
 * - `appendMessage(sql, { queue, kind, accountId, data, requestId?, nowMs?, delayMs? })`: something
 *   that another service must know. Goes to that service's inbox, for example
 *   `appendMessage(tx, { queue: INBOX.auth, kind: 'webhook.disabled', accountId,
 *   data: { webhookId, url, reason } })`.
 *
 * `sql` is anything with `query(text, values)`: a transaction, or a database for a statement of its
 * own. After the commit call `relay.wake(queue)`; without it the relay looks once a second. Both
 * arrive at least once, in no promised order; a consumer tells twins apart by the id.
 */
import type { Message, MessageKind } from '@atrium/contracts/account-messages';
import type { EventDataByName, EventName } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { Inbox } from '@atrium/contracts/queues';

/** Raw SQL inside a transaction: what `Database.transaction` of service-kit hands out. */
export interface SqlExecutor {
  query(text: string, values?: unknown[]): Promise<unknown>;
}

/** Raw SQL inside a Prisma transaction. */
export interface PrismaExecutor {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
}

/** An event that has happened, as a producing service states it. */
export type NewEvent = {
  [Name in EventName]: {
    event: Name;
    /** The account whose subscriptions get it. */
    accountId: string;
    data: EventDataByName[Name];
    /** The request that caused it; travels with the event into every log line. */
    requestId?: string | undefined;
    /** Unix time in milliseconds; now by default. */
    nowMs?: number | undefined;
  };
}[EventName];

/** Something that another service must know, as the sending service states it. */
export type NewMessage = {
  [Kind in MessageKind]: {
    queue: Inbox;
    kind: Kind;
    accountId: string;
    data: Extract<Message, { kind: Kind }>['data'];
    requestId?: string | undefined;
    /** Unix time in milliseconds; now by default. */
    nowMs?: number | undefined;
    /** The message is not sent before this long after the commit; at once by default. */
    delayMs?: number | undefined;
  };
}[MessageKind];

/**
 * Writes an event into the outbox of the service, in the transaction that makes it true: both
 * happen or neither. Wake the relay after the commit.
 *
 * @returns the id of the event (`evt_…`).
 */
export async function appendEvent(sql: SqlExecutor, event: NewEvent): Promise<string> {
  const row = toRow(event);
  await sql.query(
    `INSERT INTO outbox (id, event, account_id, data, request_id, created_at)
     VALUES ($1, $2, $3, $4::json, $5, $6::timestamptz)`,
    [row.id, event.event, event.accountId, row.data, row.requestId, row.createdAt],
  );
  return row.id;
}

/**
 * Writes a message to another service into the outbox, in the transaction that gives it its reason.
 * Wake the relay for its queue after the commit.
 *
 * @returns the id of the message (`msg_…`), which stays the same however often it arrives.
 */
export async function appendMessage(sql: SqlExecutor, message: NewMessage): Promise<string> {
  const nowMs = message.nowMs ?? Date.now();
  const id = newId('msg', nowMs);
  await sql.query(
    `INSERT INTO outbox (id, queue, event, account_id, data, request_id, created_at, due_at)
     VALUES ($1, $2, $3, $4, $5::json, $6, $7::timestamptz,
       CASE WHEN $8::float8 > 0 THEN now() + make_interval(secs => $8::float8 / 1000) END)`,
    [
      id,
      message.queue,
      message.kind,
      message.accountId,
      JSON.stringify(message.data),
      message.requestId ?? null,
      new Date(nowMs).toISOString(),
      message.delayMs ?? 0,
    ],
  );
  return id;
}

/** `appendEvent` for many at once, in one statement; the ids are in the order of the events. */
export async function appendEvents(
  sql: SqlExecutor,
  events: readonly NewEvent[],
): Promise<string[]> {
  const rows = events.map((event) => ({ ...event, ...toRow(event) }));
  const column = <Key extends keyof (typeof rows)[number]>(key: Key) => rows.map((row) => row[key]);
  await sql.query(
    `INSERT INTO outbox (id, event, account_id, data, request_id, created_at)
     SELECT id, event, account_id, data::json, request_id, created_at
     FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])
       AS new (id, event, account_id, data, request_id, created_at)`,
    [
      column('id'),
      column('event'),
      column('accountId'),
      column('data'),
      column('requestId'),
      column('createdAt'),
    ],
  );
  return column('id');
}

/** `appendEvent` for a Prisma transaction client. */
export async function appendEventPrisma(tx: PrismaExecutor, event: NewEvent): Promise<string> {
  const row = toRow(event);
  await tx.$executeRaw`
    INSERT INTO outbox (id, event, account_id, data, request_id, created_at)
    VALUES (${row.id}, ${event.event}, ${event.accountId}, ${row.data}::json, ${row.requestId},
            ${row.createdAt}::timestamptz)`;
  return row.id;
}

function toRow(event: NewEvent) {
  const nowMs = event.nowMs ?? Date.now();
  return {
    id: newId('evt', nowMs),
    data: JSON.stringify(event.data),
    requestId: event.requestId ?? null,
    createdAt: new Date(nowMs).toISOString(),
  };
}
