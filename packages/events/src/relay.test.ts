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
  startIntake,
} from './outbox.fixture.ts';
import type { QueueLocation } from './queue.ts';
import { startRelay } from './relay.ts';

test('events travel a hundred to a job, each once, in the order they were written', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  await outbox.append(250);
  const ids = (await outbox.rows()).map((row) => row.id);
  await using intake = await startIntake(place);
  await using _relay = relayFrom(outbox, place, { maxInFlight: 1 });
  await emptied(outbox);
  expect(intake.arrived).toEqual(ids);
  expect(intake.jobs).toBe(3);
});

test('a wake-up brings an event over long before the timer would', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  await using intake = await startIntake(place);
  await using relay = relayFrom(outbox, place, { intervalMs: 60_000 });
  await outbox.append(1);
  relay.wake();
  await emptied(outbox);
  await outbox.append(1);
  for (let call = 0; call < 100; call++) relay.wake();
  await emptied(outbox);
  expect(intake.arrived).toHaveLength(2);
});

test('two relays share an outbox and no event travels twice', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  await using intake = await startIntake(place);
  await using one = relayFrom(outbox, place, { batchSize: 10 });
  await using two = relayFrom(outbox, place, { batchSize: 10 });
  const ids = new Array<string>();
  for (let round = 0; round < 10; round++) {
    ids.push(...(await outbox.append(50)));
    one.wake();
    two.wake();
  }
  await emptied(outbox);
  expect(intake.arrived.toSorted()).toEqual(ids.toSorted());
});

test('rows stay until the job has completed, and a failed job is sent again', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  let attempts = 0;
  await using intake = await startIntake(place, async () => {
    expect(await outbox.rows()).toHaveLength(3);
    if (++attempts < 2) throw new Error('intake is not ready');
  });
  const ids = await outbox.append(3);
  await using _relay = relayFrom(outbox, place);
  await emptied(outbox);
  expect(attempts).toBe(2);
  expect(intake.arrived.toSorted()).toEqual(ids.toSorted());
});

test('a worker that starts later gets everything, though claims ended in between', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  const ids = await outbox.append(30);
  await using _relay = relayFrom(outbox, place, { claimSeconds: 0.5, batchSize: 10 });
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outbox.pool.query('SELECT pg_sleep(1.2)');
  await using intake = await startIntake(place);
  await emptied(outbox);
  expect(intake.arrived.toSorted()).toEqual(ids.toSorted());
});

test('what a relay leaves unfinished the next one finishes, without a twin', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  const started = Promise.withResolvers<void>();
  const hold = Promise.withResolvers<void>();
  await using intake = await startIntake(place, async () => {
    started.resolve();
    await hold.promise;
  });
  const ids = await outbox.append(5);
  {
    await using _first = relayFrom(outbox, place);
    await started.promise;
  }
  expect((await outbox.rows()).map((row) => row.leased_until)).toEqual([
    null,
    null,
    null,
    null,
    null,
  ]);
  await using _second = relayFrom(outbox, place);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  hold.resolve();
  await emptied(outbox);
  expect(intake.arrived.toSorted()).toEqual(ids.toSorted());
});

test('a job that completed while no relay was listening is not sent again', async () => {
  await using outbox = await openOutbox();
  const place = uniqueLocation();
  await outbox.append(4);
  await using intake = await startIntake(place);
  const before = await outbox.pool.query('SELECT * FROM outbox ORDER BY seq');
  {
    await using _first = relayFrom(outbox, place);
    await emptied(outbox);
  }
  // As if the first relay had been killed between the news and the deletion.
  await outbox.pool.query(
    `INSERT INTO outbox OVERRIDING SYSTEM VALUE
     SELECT * FROM jsonb_populate_recordset(NULL::outbox, $1::jsonb)`,
    [JSON.stringify(before.rows)],
  );
  await using _second = relayFrom(outbox, place);
  await emptied(outbox);
  expect(intake.arrived).toHaveLength(4);
});

test('Redis goes away, comes back empty, and nothing is lost', async () => {
  await using outbox = await openOutbox();
  const direct = uniqueLocation();
  await using outage = await startOutage(direct.redisUrl);
  const place = { ...direct, redisUrl: outage.url };
  await using _relay = relayFrom(outbox, place, { claimSeconds: 1 });
  const ids = await outbox.append(20);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outage.begin();
  ids.push(...(await outbox.append(20)));
  await forget(direct);
  await outage.end();
  await using intake = await startIntake(place);
  await emptied(outbox);
  expect(new Set(intake.arrived)).toEqual(new Set(ids));
});

test('rows are left alone while Redis is away, and disposal does not wait for it', async () => {
  await using outbox = await openOutbox();
  const direct = uniqueLocation();
  await using outage = await startOutage(direct.redisUrl);
  const place = { ...direct, redisUrl: outage.url };
  await outage.begin();
  await outbox.append(3);
  const never = relayFrom(outbox, place);
  await outage.end();
  const relay = relayFrom(outbox, place);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outage.begin();
  await Promise.all([relay[Symbol.asyncDispose](), never[Symbol.asyncDispose]()]);
  expect((await outbox.rows()).map((row) => row.leased_until)).toEqual([null, null, null]);
});

test('Postgres goes away under a relay and comes back', async () => {
  await using outbox = await openOutbox();
  await using outage = await startOutage(outbox.url);
  const place = uniqueLocation();
  const completing = Promise.withResolvers<void>();
  await using intake = await startIntake(place, () => completing.promise);
  const pool = new Pool({ connectionString: outage.url });
  pool.on('error', () => undefined);
  const relay = startRelay({ pool, ...place, logger: silent, intervalMs: 100 });
  const ids = await outbox.append(2);
  await until(async () => (await outbox.rows()).every((row) => row.leased_until !== null));
  await outage.begin();
  completing.resolve();
  await until(() => intake.arrived.length === 2);
  ids.push(...(await outbox.append(2)));
  await outage.end();
  await emptied(outbox);
  expect(intake.arrived).toHaveLength(4);
  expect(new Set(intake.arrived)).toEqual(new Set(ids));
  await relay[Symbol.asyncDispose]();
  await pool.end();
});

/** FLUSHALL, for one queue only. */
async function forget({ redisUrl, queuePrefix }: QueueLocation): Promise<void> {
  const redis = new Redis(redisUrl);
  const keys = await redis.keys(`${queuePrefix}*`);
  expect(keys.length).toBeGreaterThan(0);
  await redis.del(keys);
  redis.disconnect();
}
