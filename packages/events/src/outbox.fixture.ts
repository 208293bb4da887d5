import { newId } from '@atrium/contracts/ids';
import { EVENTS_QUEUE, type EventBatch, INBOX } from '@atrium/contracts/queues';
import { createEmptyDatabase } from '@atrium/testkit/database';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { Worker } from 'bullmq';
import { Pool } from 'pg';
import { appendEvent } from './outbox.ts';
import { type RelayOptions, startRelay } from './relay.ts';
import { blockingConnection, type EventLogger, type QueueLocation } from './queue.ts';

/** The table as every producing service has it. */
const OUTBOX_SQL = `
  CREATE TABLE outbox (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id text NOT NULL,
    event text NOT NULL,
    account_id text NOT NULL,
    data json NOT NULL,
    request_id text,
    traceparent text,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Of an event that a product has published: when it happened.
  occurred_at timestamptz(3),
    due_at timestamptz(3),
    queue text NOT NULL DEFAULT 'events',
    attempts smallint NOT NULL DEFAULT 0,
    last_error text,
    leased_until timestamptz(3)
  ) WITH (fillfactor = 50);
  CREATE INDEX outbox_due_idx ON outbox (queue, due_at NULLS FIRST, seq);`;

export const silent: EventLogger = {
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

export interface Outbox extends AsyncDisposable {
  url: string;
  pool: Pool;
  /** Appends this many events and returns their ids. */
  append(count: number): Promise<string[]>;
  rows(): Promise<{ id: string; leased_until: Date | null }[]>;
}

export async function openOutbox(): Promise<Outbox> {
  const database = await createEmptyDatabase();
  const pool = new Pool({ connectionString: database.url });
  // Dropping the database at the end may cut a connection that is still closing.
  pool.on('error', () => undefined);
  await pool.query(OUTBOX_SQL);
  return {
    url: database.url,
    pool,
    append: (count) => Promise.all(Array.from({ length: count }, () => appendEvent(pool, click()))),
    async rows() {
      const { rows } = await pool.query<{ id: string; leased_until: Date | null }>(
        'SELECT id, leased_until FROM outbox ORDER BY seq',
      );
      return rows;
    },
    async [Symbol.asyncDispose]() {
      await pool.end();
      await database[Symbol.asyncDispose]();
    },
  };
}

export function click() {
  return {
    event: 'go.click' as const,
    accountId: newId('usr'),
    requestId: 'req-1',
    data: {
      linkId: newId('lnk'),
      slug: 'launch',
      url: 'https://example.com/launch',
      clickedAt: new Date().toISOString(),
      referrer: null,
      userAgent: null,
    },
  };
}

/** A queue prefix that no other test uses. */
export function uniqueLocation(): QueueLocation {
  const { url, queuePrefix } = testRedis();
  return { redisUrl: url, queuePrefix };
}

export function relayFrom(
  outbox: Outbox,
  location: QueueLocation,
  options: Partial<RelayOptions> = {},
) {
  return startRelay({
    pool: outbox.pool,
    ...location,
    logger: silent,
    intervalMs: 100,
    ...options,
  });
}

export async function emptied(outbox: Outbox): Promise<void> {
  await until(async () => (await outbox.rows()).length === 0);
}

export interface EventConsumer extends AsyncDisposable {
  /** Ids of the events of all completed jobs, in order, with duplicates. */
  arrived: string[];
  jobs: number;
}

/** Stands in for the webhook worker. `before` may delay a batch or fail it. */
export async function startConsumer(
  { redisUrl, queuePrefix }: QueueLocation,
  before: (batch: EventBatch) => Promise<void> = async () => undefined,
): Promise<EventConsumer> {
  const consumer = { arrived: new Array<string>(), jobs: 0 };
  const worker = new Worker<EventBatch>(
    EVENTS_QUEUE,
    async (job) => {
      await before(job.data);
      consumer.jobs++;
      consumer.arrived.push(...job.data.events.map((event) => event.id));
    },
    { connection: blockingConnection(redisUrl), prefix: queuePrefix, drainDelay: 1 },
  );
  worker.on('error', () => undefined);
  await worker.waitUntilReady();
  return Object.assign(consumer, { [Symbol.asyncDispose]: () => worker.close() });
}

/** A message to auth. */
export function disabledWebhook() {
  return {
    queue: INBOX.auth,
    kind: 'webhook.disabled' as const,
    accountId: newId('usr'),
    data: { webhookId: newId('whk'), url: 'https://example.com/hook', reason: 'It answered 410.' },
  };
}
