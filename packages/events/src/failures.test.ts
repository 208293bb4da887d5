import { INBOX } from '@atrium/contracts/queues';
import { until } from '@atrium/testkit/until';
import { Worker } from 'bullmq';
import { expect, test } from 'vitest';
import { ATTEMPTS_MAX, Claims } from './claims.ts';
import { startMessageConsumer } from './consumer.ts';
import { outboxLag } from './lag.ts';
import {
  disabledWebhook,
  emptied,
  openOutbox,
  type Outbox,
  relayFrom,
  silent,
  uniqueLocation,
  startIntake,
} from './outbox.fixture.ts';
import { appendMessage } from './outbox.ts';
import { blockingConnection } from './queue.ts';

test('one event that can never be taken in does not hold up the others of its batch', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  const [poison, ...others] = await outbox.append(40);
  await using intake = await startIntake(place, async ({ events }) => {
    if (events.some(({ id }) => id === poison)) throw new Error('poison');
  });
  await using _relay = relayFrom(outbox, place);
  await until(async () => (await outbox.rows()).length === 1);
  const { rows } = await outbox.pool.query('SELECT id, attempts, last_error FROM outbox');
  expect(rows).toEqual([{ id: poison, attempts: expect.any(Number), last_error: 'poison' }]);
  expect(rows[0]?.attempts).toBeGreaterThanOrEqual(2);
  expect(intake.arrived.toSorted()).toEqual(others.toSorted());
});

test('batches that fail give their places up to those that do not', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  const failing = new Set(await outbox.append(8));
  await using intake = await startIntake(place, async ({ events }) => {
    if (events.some(({ id }) => failing.has(id))) throw new Error('always');
  });
  await using relay = relayFrom(outbox, place, { batchSize: 1, maxInFlight: 1 });
  await until(async () => (await failuresOf(outbox)) >= 8);
  const later = await outbox.append(5);
  relay.wake();
  await until(() => later.every((id) => intake.arrived.includes(id)));
  // A row goes a moment after the job that carried it has completed.
  await until(async () => (await outbox.rows()).length === 8);
  expect(new Set((await outbox.rows()).map(({ id }) => id))).toEqual(failing);
});

test('batches that a consumer died with give their places up', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  let taken = 0;
  const hang = () => {
    taken++;
    return new Promise(() => undefined);
  };
  const dead = new Worker('events', hang, {
    connection: blockingConnection(place.redisUrl),
    prefix: place.queuePrefix,
    concurrency: 3,
  });
  dead.on('error', () => undefined);
  const lost = await outbox.append(3);
  await using relay = relayFrom(outbox, place, { batchSize: 1, maxInFlight: 3, claimSeconds: 3 });
  await until(() => taken === 3);
  await dead.disconnect();
  await using intake = await startIntake(place);
  const later = await outbox.append(3);
  relay.wake();
  await until(() => later.every((id) => intake.arrived.includes(id)));
  expect(intake.arrived.filter((id) => lost.includes(id))).toEqual([]);
  await dead.close(true);
});

test('a queue whose consumer is away holds up no other queue', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  await using intake = await startIntake(place);
  const waiting = await Promise.all(
    Array.from({ length: 50 }, () => appendMessage(outbox.pool, disabledWebhook())),
  );
  const queues = ['events', INBOX.auth] as const;
  await using relay = relayFrom(outbox, place, { queues, maxInFlight: 1, intervalMs: 60_000 });
  const events = await outbox.append(5);
  relay.wake();
  await until(() => intake.arrived.length === 5);
  expect(intake.arrived.toSorted()).toEqual(events.toSorted());
  const handled = new Array<string>();
  await using _consumer = startMessageConsumer({
    ...place,
    queue: INBOX.auth,
    handle: async ({ id }) => void handled.push(id),
    logger: silent,
  });
  await emptied(outbox);
  expect(new Set(handled)).toEqual(new Set(waiting));
});

test('a message that fails is tried again later, and the others of its job are done with', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  const ids = new Array<string>();
  for (let i = 0; i < 4; i++) ids.push(await appendMessage(outbox.pool, disabledWebhook()));
  const handled = new Array<string>();
  let refusals = 0;
  await using _consumer = startMessageConsumer({
    ...place,
    queue: INBOX.auth,
    async handle({ id }) {
      if (id === ids[1] && refusals++ < 2) throw new Error('not yet');
      handled.push(id);
    },
    logger: silent,
  });
  await using _relay = relayFrom(outbox, place, { queues: [INBOX.auth] });
  await emptied(outbox);
  expect(refusals).toBe(3);
  expect(handled).toEqual([ids[0], ids[2], ids[3], ids[1]]);
});

test('a message that failed too often is set aside with its reason, visibly, and can be sent again', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  const id = await appendMessage(outbox.pool, disabledWebhook());
  await outbox.pool.query('UPDATE outbox SET attempts = $1', [ATTEMPTS_MAX - 1]);
  let isBroken = true;
  await using _consumer = startMessageConsumer({
    ...place,
    queue: INBOX.auth,
    async handle() {
      if (isBroken) throw new Error('cannot be done');
    },
    logger: silent,
  });
  await using _relay = relayFrom(outbox, place, { queues: [INBOX.auth] });
  await until(async () => (await outboxLag(outbox.pool))[0]?.setAside === 1);
  const { rows } = await outbox.pool.query('SELECT id, due_at, last_error FROM outbox');
  expect(rows).toEqual([{ id, due_at: Number.POSITIVE_INFINITY, last_error: 'cannot be done' }]);
  isBroken = false;
  await outbox.pool.query('UPDATE outbox SET due_at = NULL');
  await emptied(outbox);
});

test('failures of whole batches wear no row out', async () => {
  await using outbox = await openOutbox();
  await outbox.append(1);
  const claims = new Claims(outbox.pool, 'events', 30);
  for (let i = 0; i < 30; i++) {
    await outbox.pool.query('UPDATE outbox SET due_at = NULL');
    const [claim] = (await claims.take(100)).claims;
    if (claim === undefined) throw new Error('nothing to take');
    await claims.postpone(claim, 'postgres is away');
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
