import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { type DeliverySeed, seedDelivery } from '../seed.fixture.ts';
import { retainFor } from './retention.fixture.ts';
import { createRetentionStore } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
let id: string;
beforeAll(async () => {
  harness = await startHarness();
});
beforeEach(async () => {
  await harness.database.query(
    `TRUNCATE subscriptions, events, deliveries, undelivered, attempts, recoveries, rejected_events`,
  );
  ({ id } = await harness.subscribe('https://93.184.216.34/'));
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => Date.now() - days * DAY_MS;
const seed = (overrides: Omit<DeliverySeed, 'subscriptionId' | 'accountId'>) =>
  seedDelivery(harness.database, {
    subscriptionId: id,
    accountId: harness.accountId,
    ...overrides,
  });
const count = async (table: string): Promise<number> => {
  const rows = await harness.database.query(`SELECT 1 FROM ${table}`);
  return rows.length;
};
const counts = async () => ({
  subscriptions: await count('subscriptions'),
  events: await count('events'),
  deliveries: await count('deliveries'),
  undelivered: await count('undelivered'),
  attempts: await count('attempts'),
  recoveries: await count('recoveries'),
  rejected: await count('rejected_events'),
});
const run = () => retainFor(30, harness.database);

describe('retention', () => {
  it('tells the age of a delivery by the clock of Postgres', async () => {
    const delivery = await seed({ state: 'delivered', createdMs: Date.now() });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 365 * DAY_MS });
    onTestFinished(() => void vi.useRealTimers());
    await run();
    const rows = await harness.database.query('SELECT id FROM deliveries');
    expect(rows).toEqual([{ id: delivery }]);
  });

  it('purges what is older than retentionDays, and keeps what is younger or still waits', async () => {
    await seed({ state: 'delivered', createdMs: daysAgo(31) });
    await seed({ state: 'exhausted', createdMs: daysAgo(31) });
    const kept = [
      await seed({ state: 'failed', createdMs: daysAgo(31) }),
      await seed({ state: 'pending', createdMs: daysAgo(31) }),
      await seed({ state: 'delivered', createdMs: daysAgo(29) }),
      await seed({ state: 'exhausted', createdMs: daysAgo(29) }),
    ];
    await harness.database.query(
      `INSERT INTO recoveries (id, subscription_id, since, completed_at) VALUES
        ($1, $4, now(), now()), ($2, $4, now(), NULL), ($3, $4, now(), now())`,
      [newId('rcv', daysAgo(31)), newId('rcv', daysAgo(31)), newId('rcv', daysAgo(29)), id],
    );
    await harness.database.query(
      `INSERT INTO rejected_events (event_id, reason, payload, rejected_at) VALUES
        ('a', '', '', now() - interval '31 days'), ('b', '', '', now() - interval '29 days')`,
    );
    await run();
    expect(await counts()).toEqual({
      subscriptions: 1,
      events: 4,
      deliveries: 4,
      undelivered: 3,
      attempts: 7,
      recoveries: 2,
      rejected: 1,
    });
    const left = await harness.database.query('SELECT id FROM deliveries ORDER BY id');
    expect(left.map((row) => row['id'])).toEqual(kept.toSorted());
  });

  it('purges an event only with the last of its deliveries', async () => {
    const delivery = await seed({ state: 'delivered', createdMs: daysAgo(31) });
    await harness.database.query(
      `INSERT INTO deliveries (id, event_id, subscription_id, event)
       SELECT $1, event_id, 'whk_other', event FROM deliveries WHERE id = $2`,
      [newId('dlv', daysAgo(29)), delivery],
    );
    const store = createRetentionStore(harness.database);
    expect((await store.purgeDeliveries('', newId('dlv', daysAgo(30)))).removed).toBe(1);
    expect((await store.purgeEvents('', newId('evt', daysAgo(30)))).removed).toBe(0);
    await store.purgeDeliveries('', newId('dlv', daysAgo(28)));
    expect((await store.purgeEvents('', newId('evt', daysAgo(30)))).removed).toBe(1);
  });

  it('works in small batches that several workers share', async () => {
    await harness.database.query(
      `INSERT INTO deliveries (id, event_id, subscription_id, event)
       SELECT 'dlv_0' || lpad(n::text, 25, '0'), 'evt_0' || lpad(n::text, 25, '0'), $1, 'go.click'
       FROM generate_series(1, 1500) n`,
      [id],
    );
    await harness.database.query(
      `INSERT INTO events (id, event, account_id, body)
       SELECT event_id, event, 'usr_x', '{}' FROM deliveries`,
    );
    const store = createRetentionStore(harness.database);
    const step = await store.purgeDeliveries('', newId('dlv'));
    expect(step).toEqual({ removed: 200, next: `dlv_0${'200'.padStart(25, '0')}` });
    // Two at once skip what the other holds, and a third finishes what both skipped.
    await Promise.all([run(), run()]);
    await run();
    expect([await count('events'), await count('deliveries')]).toEqual([0, 0]);
  });

  it('keeps a delivery that was just redelivered', async () => {
    const ids = [
      await seed({ state: 'delivered', createdMs: daysAgo(31) }),
      await seed({ state: 'exhausted', createdMs: daysAgo(31) }),
    ];
    for (const each of ids) {
      await harness.call(`/api/deliveries/${each}/redeliver`, { method: 'POST' });
    }
    const store = createRetentionStore(harness.database);
    expect((await store.purgeDeliveries('', newId('dlv'))).removed).toBe(0);
    expect(await counts()).toMatchObject({ deliveries: 2, undelivered: 2, attempts: 6 });
  });

  it('skips a delivery whose redelivery is under way', async () => {
    const delivery = await seed({ state: 'delivered', createdMs: daysAgo(31) });
    const store = createRetentionStore(harness.database);
    await harness.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query('SELECT 1 FROM deliveries WHERE id = $1 FOR UPDATE', [delivery]);
      expect((await store.purgeDeliveries('', newId('dlv'))).removed).toBe(0);
    });
    expect((await store.purgeDeliveries('', newId('dlv'))).removed).toBe(1);
  });

  it('purges a deleted subscription with all that belongs to it, whatever its age', async () => {
    for (const state of ['pending', 'failed', 'delivered', 'exhausted'] as const) {
      await seed({ state });
    }
    await harness.call(`/api/webhooks/${id}/recover`, {
      method: 'POST',
      body: { since: new Date(0).toISOString() },
    });
    await harness.database.query(
      `INSERT INTO held_deliveries (subscription_id, event_id, event) VALUES ($1, 'evt_1', 'go.click')`,
      [id],
    );
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    const { id: other } = await harness.subscribe('https://93.184.216.34/');
    const store = createRetentionStore(harness.database);
    // Not at once: ingestion may still be adding to it.
    const justBefore = new Date(Date.now() - 60_000);
    expect(await store.purgeDeletedSubscriptions(justBefore)).toEqual({ removed: 0, next: null });
    await harness.database.query(
      `UPDATE subscriptions SET deleted_at = now() - interval '6 minutes' WHERE id = $1`,
      [id],
    );
    await run();
    expect(await count('subscriptions')).toBe(1);
    expect(await count('held_deliveries')).toBe(0);
    expect(await counts()).toMatchObject({
      deliveries: 0,
      undelivered: 0,
      attempts: 0,
      recoveries: 0,
    });
    expect((await harness.call(`/api/webhooks/${other}`)).status).toBe(200);
  });
});
