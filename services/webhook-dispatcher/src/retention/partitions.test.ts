import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { type DeliverySeed, seedDelivery } from '../seed.fixture.ts';
import { partitionsOf, retainFor } from './retention.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(async () => {
  await harness.database.query('TRUNCATE subscriptions, events, deliveries, undelivered, attempts');
  for (const { name } of [...(await partitions('events')), ...(await partitions('attempts'))]) {
    await harness.database.query(`DROP TABLE ${name}`);
  }
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
const RETENTION_DAYS = 30;
/** Days in one partition at this retention. */
const PARTITION_DAYS = 6;
const daysAgo = (days: number) => Date.now() - days * DAY_MS;
const dayAgo = (days: number) => new Date(daysAgo(days)).toISOString().slice(0, 10);
const nameOf = (table: string, days: number) => `${table}_${dayAgo(days).replaceAll('-', '_')}`;
const run = () => retainFor(RETENTION_DAYS, harness.database);
const tables = () => partitionsOf(RETENTION_DAYS, harness.database);

/** The partitions in the order of time, without the default one. */
function partitions(table: string): Promise<{ name: string }[]> {
  return harness.database.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits
     WHERE inhparent = $1::regclass AND inhrelid <> $2::regclass ORDER BY 1`,
    [table, `${table}_default`],
  );
}

/** How many rows of a table each of its partitions holds. */
async function rowsOf(table: string): Promise<Record<string, number>> {
  const rows = await harness.database.query<{ name: string; count: number }>(
    `SELECT tableoid::regclass::text AS name, count(*)::int AS count FROM ${table} GROUP BY 1`,
  );
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

const seed = (id: string, changes: Pick<DeliverySeed, 'state' | 'createdMs'>) =>
  seedDelivery(harness.database, { subscriptionId: id, accountId: harness.accountId, ...changes });

/** Partitions as they were made so many days ago. */
async function createAt(days: number): Promise<void> {
  await tables().attempts.create(daysAgo(days));
  await tables().events.create(daysAgo(days));
}

describe('partitions', () => {
  it('exist for now and the time to come, also when two workers make them at once', async () => {
    await Promise.all([run(), run()]);
    await run();
    const next = nameOf('attempts', -PARTITION_DAYS);
    expect(await partitions('attempts')).toEqual([{ name: nameOf('attempts', 0) }, { name: next }]);
    const { id } = await harness.subscribe('https://93.184.216.34/');
    await seed(id, { state: 'delivered' });
    await seed(id, { state: 'delivered', createdMs: daysAgo(-PARTITION_DAYS) });
    expect(await rowsOf('attempts')).toEqual({ [nameOf('attempts', 0)]: 1, [next]: 1 });
  });

  it('take what the default partition has of their time', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    await seed(id, { state: 'delivered' });
    await seed(id, { state: 'delivered', createdMs: daysAgo(20) });
    await run();
    expect(await rowsOf('events')).toEqual({ events_default: 1, [nameOf('events', 0)]: 1 });
    expect(await rowsOf('attempts')).toEqual({ attempts_default: 1, [nameOf('attempts', 0)]: 1 });
  });

  it('begin a day later when the default partition has too much of a time to be moved', async () => {
    // Those of the last hour of a day are in the partition of the next one.
    const noon = Math.floor(Date.now() / DAY_MS) * DAY_MS + DAY_MS / 2;
    await harness.database.query(
      `INSERT INTO events (id, event, account_id, body)
       SELECT $1 || n, 'note.shared', 'usr_1', '{}' FROM generate_series(1, 5001) n`,
      [newId('evt', noon)],
    );
    await tables().events.create(noon);
    expect(await partitions('events')).toEqual([{ name: nameOf('events', -1) }]);
    expect(await rowsOf('events')).toEqual({ events_default: 5001 });
  });

  it('take an event that arrives while they are made', async () => {
    await harness.subscribe('https://93.184.216.34/');
    let ingesting: Promise<unknown> = Promise.resolve();
    await harness.database.transaction({ job: 'test' }, async (tx) => {
      const bounds = [newId('evt', daysAgo(1)), newId('evt', daysAgo(-1))];
      await tx.query("SELECT create_partition('events', 'events_a', $1, $2)", bounds);
      ingesting = harness.ingest([harness.event()]);
      const waits =
        "SELECT FROM pg_locks WHERE NOT granted AND relation IN ('events'::regclass, 'events_default'::regclass)";
      await until(async () => (await tx.query(waits)).length > 0);
    });
    await ingesting;
    expect(await rowsOf('events')).toEqual({ events_a: 1 });
  });

  it('are made where a clock has made one too early', async () => {
    await tables().events.create(daysAgo(-8));
    await tables().events.create(Date.now());
    const days = [0, -6, -8, -14];
    expect(await partitions('events')).toEqual(
      days.map((day) => ({ name: nameOf('events', day) })),
    );
  });

  it('say until when there are some, also when none can be made', async () => {
    const ends: Record<string, number> = {};
    const onMade = (table: string, untilMs: number) => (ends[table] = untilMs);
    const { events } = partitionsOf(RETENTION_DAYS, harness.database, onMade);
    await harness.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query('LOCK TABLE events IN SHARE MODE');
      await events.create(Date.now());
    });
    expect(ends['events']).toBeLessThan(Date.now());
    await events.create(Date.now());
    expect(ends['events']).toBeGreaterThan(daysAgo(-PARTITION_DAYS));
  });

  it('are made and dropped for a role that may not change tables', async () => {
    await tables().events.create(daysAgo(40));
    const undone = new Error('rolled back');
    const transaction = harness.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query(`CREATE ROLE "${harness.accountId}"`);
      await tx.query(`SET LOCAL ROLE "${harness.accountId}"`);
      const drop = "SELECT drop_partition('events', $1) AS done";
      expect(await tx.query(drop, [nameOf('events', 40)])).toEqual([{ done: true }]);
      const create = "SELECT create_partition('events', 'events_a', 'evt_a', 'evt_b') AS done";
      expect(await tx.query(create)).toEqual([{ done: true }]);
      throw undone;
    });
    await expect(transaction).rejects.toBe(undone);
  });
});

describe('an old partition', () => {
  it('is dropped, and what waits is kept with its event and attempts, and delivered', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    await createAt(40);
    await seed(id, { state: 'delivered', createdMs: daysAgo(39) });
    await seed(id, { state: 'exhausted', createdMs: daysAgo(39) });
    const waiting = await seed(id, { state: 'failed', createdMs: daysAgo(39) });
    expect(await rowsOf('attempts')).toEqual({ [nameOf('attempts', 40)]: 7 });

    await run();
    expect(await partitions('events')).not.toContainEqual({ name: nameOf('events', 40) });
    expect(await partitions('attempts')).not.toContainEqual({ name: nameOf('attempts', 40) });
    expect(await rowsOf('attempts')).toEqual({ attempts_default: 1 });
    expect(await rowsOf('events')).toEqual({ events_default: 1 });

    await harness.database.query('UPDATE undelivered SET due_at = now()');
    // Its own retention must not remove the delivery before it is read.
    await using _worker = await harness.startWorker({ WEBHOOK_RETENTION_DAYS: 3_650 });
    await receiver.waitFor(1);
    await until(async () => (await rowsOf('undelivered'))['undelivered'] === undefined);
    const { body } = await harness.call(`/api/deliveries/${waiting}`);
    expect(body).toMatchObject({ state: 'delivered', body: '{}' });
    expect(body.attempts).toHaveLength(2);
    // No attempt follows any more, so nothing is kept.
    await until(async () => {
      await run();
      return (
        Object.keys({ ...(await rowsOf('attempts')), ...(await rowsOf('events')) }).length === 0
      );
    });
  });

  it('keeps its deliveries with their attempts while it has younger ones', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    await createAt(32);
    await seed(id, { state: 'delivered', createdMs: daysAgo(31) });
    await run();
    expect(await rowsOf('deliveries')).toEqual({ deliveries: 1 });
    expect(await rowsOf('attempts')).toEqual({ [nameOf('attempts', 32)]: 1 });
  });

  it('is dropped, and the event of what is held is kept until that is purged', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    await createAt(40);
    const eventId = newId('evt', daysAgo(39));
    await harness.database.query(
      `INSERT INTO events (id, event, account_id, body) VALUES ($1, 'note.shared', $2, '{}')`,
      [eventId, harness.accountId],
    );
    await harness.database.query(`INSERT INTO held_deliveries VALUES ($1, $2, 'note.shared')`, [
      id,
      eventId,
    ]);
    await run();
    expect(await rowsOf('events')).toEqual({ events_default: 1 });
    await run();
    expect(await rowsOf('events')).toEqual({ events_default: 1 });
    await harness.database.query('DELETE FROM held_deliveries');
    await run();
    expect(await rowsOf('events')).toEqual({});
  });

  it('stays when more deliveries are left than may be moved while all wait', async () => {
    await createAt(40);
    await harness.database.query(
      `INSERT INTO deliveries (id, event_id, subscription_id, event)
       SELECT $1 || n, $2 || n, 'whk_1', 'note.shared' FROM generate_series(1, 5001) n`,
      [newId('dlv', daysAgo(39)), newId('evt', daysAgo(39))],
    );
    expect(await tables().attempts.drop(daysAgo(30))).toBe(0);
    expect(await tables().events.drop(daysAgo(30))).toBe(0);
    await harness.database.query(`DELETE FROM deliveries WHERE id LIKE '%5001'`);
    expect(await tables().attempts.drop(daysAgo(30))).toBe(1);
    expect(await tables().events.drop(daysAgo(30))).toBe(1);
  });

  it('does not hold up ingestion while it is in use, and is dropped later', async () => {
    await createAt(40);
    await harness.subscribe('https://93.184.216.34/');
    await harness.database.snapshot(async (reads) => {
      await reads.query('SELECT count(*) FROM events');
      const dropping = harness.database.transaction({ job: 'test' }, async (tx) => {
        // That would end the wait too, but later.
        await tx.query('SET LOCAL statement_timeout = 0');
        await tx.query("SELECT drop_partition('events', $1)", [nameOf('events', 40)]);
      });
      await Promise.all([
        expect(dropping).rejects.toThrow('lock timeout'),
        harness.ingest([harness.event()]),
      ]);
    });
    expect(await tables().events.drop(daysAgo(30))).toBe(1);
  });
});
