import { INBOX } from '@atrium/contracts/queues';
import { until } from '@atrium/testkit/until';
import { Worker } from 'bullmq';
import { expect, test } from 'vitest';
import { ATTEMPTS_MAX, OutboxLeases } from './outbox-leases.ts';
import { startMessageConsumer } from './message-consumer.ts';
import {
  disabledWebhook,
  emptied,
  openOutbox,
  type Outbox,
  relayFrom,
  silent,
  uniqueLocation,
  startConsumer,
} from './outbox.fixture.ts';
import { appendMessages } from './outbox.ts';
import { blockingConnection } from './queue.ts';

test('delivers the other events of a batch when one event always fails', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  const [poison, ...others] = await outbox.append(40);
  await using consumer = await startConsumer(location, async ({ events }) => {
    if (events.some(({ id }) => id === poison)) throw new Error('poison');
  });
  await using _relay = relayFrom(outbox, location);
  await until(async () => (await outbox.rows()).length === 1);
  const { rows } = await outbox.pool.query('SELECT id, attempts, last_error FROM outbox');
  expect(rows).toEqual([{ id: poison, attempts: expect.any(Number), last_error: 'poison' }]);
  expect(rows[0]?.attempts).toBeGreaterThanOrEqual(2);
  expect(consumer.arrived.toSorted()).toEqual(others.toSorted());
});

test('frees the slots of batches that fail', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  const failing = new Set(await outbox.append(8));
  await using consumer = await startConsumer(location, async ({ events }) => {
    if (events.some(({ id }) => failing.has(id))) throw new Error('always');
  });
  await using relay = relayFrom(outbox, location, { batchSize: 1, maxInFlight: 1 });
  await until(async () => (await failuresOf(outbox)) >= 8);
  const later = await outbox.append(5);
  relay.wake();
  await until(() => later.every((id) => consumer.arrived.includes(id)));
  // A row goes a moment after the job that carried it has completed.
  await until(async () => (await outbox.rows()).length === 8);
  expect(new Set((await outbox.rows()).map(({ id }) => id))).toEqual(failing);
});

test('frees the slots of batches whose consumer has died', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  let taken = 0;
  const hang = () => {
    taken++;
    return new Promise(() => undefined);
  };
  const dead = new Worker('events', hang, {
    connection: blockingConnection(location.redisUrl),
    prefix: location.queuePrefix,
    concurrency: 3,
  });
  dead.on('error', () => undefined);
  const lost = await outbox.append(3);
  await using relay = relayFrom(outbox, location, {
    batchSize: 1,
    maxInFlight: 3,
    leaseSeconds: 3,
  });
  await until(() => taken === 3);
  await dead.disconnect();
  await using consumer = await startConsumer(location);
  const later = await outbox.append(3);
  relay.wake();
  await until(() => later.every((id) => consumer.arrived.includes(id)));
  expect(consumer.arrived.filter((id) => lost.includes(id))).toEqual([]);
  await dead.close(true);
});

test('delivers to other queues when the consumer of one is away', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  await using consumer = await startConsumer(location);
  const waiting = await appendMessages(outbox.pool, Array.from({ length: 50 }, disabledWebhook));
  const queues = ['events', INBOX.auth] as const;
  await using relay = relayFrom(outbox, location, { queues, maxInFlight: 1, intervalMs: 60_000 });
  const events = await outbox.append(5);
  relay.wake();
  await until(() => consumer.arrived.length === 5);
  expect(consumer.arrived.toSorted()).toEqual(events.toSorted());
  const handled = new Array<string>();
  await using _consumer = startMessageConsumer({
    ...location,
    queue: INBOX.auth,
    handle: async ({ id }) => void handled.push(id),
    logger: silent,
  });
  await emptied(outbox);
  expect(new Set(handled)).toEqual(new Set(waiting));
});

test('retries only the message that failed of a job', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  const ids = await appendMessages(outbox.pool, Array.from({ length: 4 }, disabledWebhook));
  const handled = new Array<string>();
  let rejections = 0;
  await using _consumer = startMessageConsumer({
    ...location,
    queue: INBOX.auth,
    async handle({ id }) {
      if (id === ids[1] && rejections++ < 2) throw new Error('not yet');
      handled.push(id);
    },
    logger: silent,
  });
  await using _relay = relayFrom(outbox, location, { queues: [INBOX.auth] });
  await emptied(outbox);
  expect(rejections).toBe(3);
  expect(handled).toEqual([ids[0], ids[2], ids[3], ids[1]]);
});

test('sets a message aside with its reason after too many failures, until it is made due again', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  const [id] = await appendMessages(outbox.pool, [disabledWebhook()]);
  await outbox.pool.query('UPDATE outbox SET attempts = $1', [ATTEMPTS_MAX - 1]);
  let isBroken = true;
  await using _consumer = startMessageConsumer({
    ...location,
    queue: INBOX.auth,
    async handle() {
      if (isBroken) throw new Error('cannot be done');
    },
    logger: silent,
  });
  await using _relay = relayFrom(outbox, location, { queues: [INBOX.auth] });
  const setAside = "SELECT 1 FROM outbox WHERE due_at = 'infinity'";
  await until(async () => (await outbox.pool.query(setAside)).rowCount === 1);
  const { rows } = await outbox.pool.query('SELECT id, due_at, last_error FROM outbox');
  expect(rows).toEqual([{ id, due_at: Number.POSITIVE_INFINITY, last_error: 'cannot be done' }]);
  isBroken = false;
  await outbox.pool.query('UPDATE outbox SET due_at = NULL');
  await emptied(outbox);
});

test('never sets rows aside for failures of whole batches', async () => {
  await using outbox = await openOutbox();
  await outbox.append(1);
  const leases = new OutboxLeases(outbox.pool, 'events', 30);
  for (let i = 0; i < 30; i++) {
    await outbox.pool.query('UPDATE outbox SET due_at = NULL');
    const [batch] = (await leases.lease(100)).batches;
    if (batch === undefined) throw new Error('nothing to lease');
    await leases.postpone(batch, 'postgres is away');
  }
  const { rows } = await outbox.pool.query<{ seconds: number; attempts: number }>(
    `SELECT extract(epoch FROM due_at - now())::float8 AS seconds, attempts FROM outbox`,
  );
  expect(rows[0]?.attempts).toBeLessThan(ATTEMPTS_MAX);
  expect(rows[0]?.seconds).toBeLessThan(30);
});

async function failuresOf(outbox: Outbox): Promise<number> {
  const { rows } = await outbox.pool.query<{ failed: number }>(
    'SELECT count(*)::int AS failed FROM outbox WHERE attempts > 0',
  );
  return rows[0]?.failed ?? 0;
}
