import { startOutage } from '@atrium/testkit/outage';
import { until } from '@atrium/testkit/until';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import {
  emptied,
  openOutbox,
  relayFrom,
  silent,
  uniqueLocation,
  startConsumer,
} from './outbox.fixture.ts';
import type { QueueLocation } from './queue.ts';
import { startRelay } from './relay.ts';

test('sends events in the order they were written, a hundred to a job', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  await outbox.append(250);
  const ids = (await outbox.rows()).map((row) => row.id);
  await using consumer = await startConsumer(location);
  await using _relay = relayFrom(outbox, location, { maxInFlight: 1 });
  await emptied(outbox);
  expect(consumer.arrived).toEqual(ids);
  expect(consumer.jobs).toBe(3);
});

test('sends an event when woken, without waiting for the interval', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  await using consumer = await startConsumer(location);
  await using relay = relayFrom(outbox, location, { intervalMs: 60_000 });
  await outbox.append(1);
  relay.wake();
  await emptied(outbox);
  await outbox.append(1);
  for (let call = 0; call < 100; call++) relay.wake();
  await emptied(outbox);
  expect(consumer.arrived).toHaveLength(2);
});

test('sends an event that is due later when it is due, without waiting for the interval', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  await using consumer = await startConsumer(location);
  await using relay = relayFrom(outbox, location, { intervalMs: 60_000 });
  await outbox.append(1);
  await outbox.pool.query("UPDATE outbox SET due_at = now() + interval '300 ms'");
  relay.wake('events', 300);
  await emptied(outbox);
  expect(consumer.arrived).toHaveLength(1);
});

test('sends each event once when two relays share an outbox', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  await using consumer = await startConsumer(location);
  await using one = relayFrom(outbox, location, { batchSize: 10 });
  await using two = relayFrom(outbox, location, { batchSize: 10 });
  const ids = new Array<string>();
  for (let round = 0; round < 10; round++) {
    ids.push(...(await outbox.append(50)));
    one.wake();
    two.wake();
  }
  await emptied(outbox);
  expect(consumer.arrived.toSorted()).toEqual(ids.toSorted());
});

test('keeps rows until their job has completed, and sends a failed job again', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  let attempts = 0;
  await using consumer = await startConsumer(location, async () => {
    expect(await outbox.rows()).toHaveLength(3);
    if (++attempts < 2) throw new Error('not ready');
  });
  const ids = await outbox.append(3);
  await using _relay = relayFrom(outbox, location);
  await emptied(outbox);
  expect(attempts).toBe(2);
  expect(consumer.arrived.toSorted()).toEqual(ids.toSorted());
});

test('delivers everything to a worker that starts after leases have expired', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  const ids = await outbox.append(30);
  await using _relay = relayFrom(outbox, location, { leaseSeconds: 0.5, batchSize: 10 });
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outbox.pool.query('SELECT pg_sleep(1.2)');
  await using consumer = await startConsumer(location);
  await emptied(outbox);
  expect(consumer.arrived.toSorted()).toEqual(ids.toSorted());
});

test('releases unfinished rows on disposal, for the next relay to finish without duplicates', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  const started = Promise.withResolvers<void>();
  const hold = Promise.withResolvers<void>();
  await using consumer = await startConsumer(location, async () => {
    started.resolve();
    await hold.promise;
  });
  const ids = await outbox.append(5);
  {
    await using _first = relayFrom(outbox, location);
    await started.promise;
  }
  expect((await outbox.rows()).map((row) => row.leased_until)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  await using _second = relayFrom(outbox, location);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  hold.resolve();
  await emptied(outbox);
  expect(consumer.arrived.toSorted()).toEqual(ids.toSorted());
});

test('does not send a job again that completed while no relay was listening', async () => {
  await using outbox = await openOutbox();
  const location = uniqueLocation();
  await outbox.append(4);
  await using consumer = await startConsumer(location);
  const before = await outbox.pool.query('SELECT * FROM outbox ORDER BY seq');
  {
    await using _first = relayFrom(outbox, location);
    await emptied(outbox);
  }
  // As if the first relay had been killed between the notification and the deletion.
  await outbox.pool.query(
    `INSERT INTO outbox OVERRIDING SYSTEM VALUE
     SELECT * FROM jsonb_populate_recordset(NULL::outbox, $1::jsonb)`,
    [JSON.stringify(before.rows)],
  );
  await using _second = relayFrom(outbox, location);
  await emptied(outbox);
  expect(consumer.arrived).toHaveLength(4);
});

test('loses nothing when Redis goes away and comes back empty', async () => {
  await using outbox = await openOutbox();
  const direct = uniqueLocation();
  await using outage = await startOutage(direct.redisUrl);
  const location = { ...direct, redisUrl: outage.url };
  const ids = await outbox.append(20);
  await using _relay = relayFrom(outbox, location, { leaseSeconds: 1 });
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outage.begin();
  ids.push(...(await outbox.append(20)));
  await forget(direct);
  await outage.end();
  await using consumer = await startConsumer(location);
  await emptied(outbox);
  expect(new Set(consumer.arrived)).toEqual(new Set(ids));
});

test('leases nothing while Redis is away, and disposal does not wait for it', async () => {
  await using outbox = await openOutbox();
  const direct = uniqueLocation();
  await using outage = await startOutage(direct.redisUrl);
  const location = { ...direct, redisUrl: outage.url };
  await outage.begin();
  await outbox.append(3);
  const never = relayFrom(outbox, location);
  await outage.end();
  const relay = relayFrom(outbox, location);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outage.begin();
  await Promise.all([relay[Symbol.asyncDispose](), never[Symbol.asyncDispose]()]);
  expect((await outbox.rows()).map((row) => row.leased_until)).toEqual([null, null, null]);
});

test('loses nothing when Postgres goes away and comes back', async () => {
  await using outbox = await openOutbox();
  await using outage = await startOutage(outbox.url);
  const location = uniqueLocation();
  const completing = Promise.withResolvers<void>();
  await using consumer = await startConsumer(location, () => completing.promise);
  const pool = new Pool({ connectionString: outage.url });
  pool.on('error', () => undefined);
  const relay = startRelay({ pool, ...location, logger: silent, intervalMs: 100 });
  const ids = await outbox.append(2);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outage.begin();
  completing.resolve();
  await until(() => consumer.arrived.length === 2);
  ids.push(...(await outbox.append(2)));
  await outage.end();
  await emptied(outbox);
  expect(consumer.arrived).toHaveLength(4);
  expect(new Set(consumer.arrived)).toEqual(new Set(ids));
  await relay[Symbol.asyncDispose]();
  await pool.end();
});

/** FLUSHALL for one queue. */
async function forget({ redisUrl, queuePrefix }: QueueLocation): Promise<void> {
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`${queuePrefix}*`);
  expect(keys.length).toBeGreaterThan(0);
  await redis.del(keys);
  redis.disconnect();
}
