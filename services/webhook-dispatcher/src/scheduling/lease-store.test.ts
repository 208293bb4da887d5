import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import type { Attempt, LeasedDelivery } from '../sending/deliver.ts';
import { attemptOf } from './attempt.fixture.ts';
import { createAttemptStore } from './attempt-store.ts';
import { createLeaseStore } from './lease-store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const store = () => createLeaseStore(harness.database, 15_000);
const record = (attempts: Attempt[]) =>
  createAttemptStore(harness.database).recordAttempts(attempts);

async function lease(subscriptionId: string, limit = 10, bytes = 100_000) {
  return store().lease({ limit, bytes, slots: new Map([[subscriptionId, limit]]) });
}

async function leaseOne(subscriptionId: string): Promise<LeasedDelivery> {
  const [delivery] = await lease(subscriptionId);
  if (delivery === undefined) throw new Error('Nothing was leased');
  return delivery;
}

async function leaseAndExpire(subscriptionId: string): Promise<LeasedDelivery> {
  const delivery = await leaseOne(subscriptionId);
  await harness.database.query(
    `UPDATE undelivered SET leased_until = now() - interval '1 s' WHERE delivery_id = $1`,
    [delivery.id],
  );
  return delivery;
}

const delivered = (delivery: LeasedDelivery) => attemptOf(delivery);
const failed = (delivery: LeasedDelivery) =>
  attemptOf(delivery, { outcome: 'retry', status: 500, error: 'Answered 500', nextAttemptInMs: 0 });

async function subscribeWithEvents(count: number): Promise<string> {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await harness.ingest(Array.from({ length: count }, () => harness.event()));
  return id;
}

describe('a lease', () => {
  it('takes at most as many deliveries as asked for, and none that is leased', async () => {
    const id = await subscribeWithEvents(5);
    const first = await lease(id, 3);
    const second = await lease(id);
    expect([first.length, second.length]).toEqual([3, 2]);
    expect(new Set([...first, ...second].map((delivery) => delivery.id)).size).toBe(5);
    expect(await lease(id)).toEqual([]);
  });

  it('takes no more than the slots of each endpoint and the limit in all', async () => {
    const ids = [await subscribeWithEvents(5), await subscribeWithEvents(5)];
    const take = async (slots: number, limit: number) => {
      const rows = await store().lease({
        limit,
        bytes: 100_000,
        slots: new Map(ids.map((id) => [id, slots])),
      });
      return ids.map((id) => rows.filter((row) => row.subscriptionId === id).length);
    };
    expect(await take(2, 100)).toEqual([2, 2]);
    const [first = 0, second = 0] = await take(3, 4);
    expect(first + second).toBe(4);
  });

  it('takes no more once its bodies have the bytes asked for, and at least one', async () => {
    const id = await subscribeWithEvents(5);
    const [first] = await lease(id, 1);
    const bodyBytes = Buffer.byteLength(first?.body ?? '');
    expect(first?.bodyBytes).toBe(bodyBytes);
    expect(await lease(id, 10, bodyBytes + 1)).toHaveLength(2);
    expect(await lease(id, 10, 1)).toHaveLength(1);
    expect(await lease(id)).toHaveLength(1);
  });

  it('takes what has been due longest, and nothing that is not due', async () => {
    const id = await subscribeWithEvents(3);
    const leased = await lease(id);
    await store().release(leased);
    const [early = '', late = '', never = ''] = leased.map((delivery) => delivery.id);
    for (const [delivery, dueIn] of [
      [late, '-1 min'],
      [early, '-2 min'],
      [never, '1 h'],
    ]) {
      await harness.database.query(
        'UPDATE undelivered SET due_at = now() + $2::interval WHERE delivery_id = $1',
        [delivery, dueIn],
      );
    }
    expect((await lease(id, 1)).map((row) => row.id)).toEqual([early]);
    expect((await lease(id)).map((row) => row.id)).toEqual([late]);
  });

  it('returns the previous secret only until it expires', async () => {
    const id = await subscribeWithEvents(1);
    for (const [until, previous] of [
      ['1 min', 'sealed before'],
      ['-1 s', null],
    ]) {
      await harness.database.query(
        `UPDATE subscriptions SET previous_sealed_secret = 'sealed before',
           previous_secret_until = now() + $2::interval WHERE id = $1`,
        [id, until],
      );
      const { endpoint } = await leaseAndExpire(id);
      expect(endpoint.previousSealedSecret).toBe(previous);
    }
  });

  it('can be released only by its holder, and is free at once', async () => {
    const late = await leaseAndExpire(await subscribeWithEvents(1));
    const next = await leaseOne(late.subscriptionId);
    await store().release([late]);
    expect(await lease(late.subscriptionId)).toEqual([]);
    await store().release([next]);
    expect(await lease(late.subscriptionId)).toMatchObject([
      { id: late.id, isTakenOver: false, takeOvers: 1 },
    ]);
  });

  it('gives each delivery to one of many concurrent callers', async () => {
    const id = await subscribeWithEvents(100);
    const leases = await Promise.all(Array.from({ length: 8 }, () => lease(id, 30)));
    const ids = leases.flat().map((delivery) => delivery.id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await lease(id, 100);
    expect(ids.length + rest.length).toBe(100);
  });

  it('skips paused, disabled and deleted subscriptions', async () => {
    for (const change of ['paused = true', 'enabled = false', 'deleted_at = now()']) {
      const id = await subscribeWithEvents(1);
      await harness.database.query(`UPDATE subscriptions SET ${change} WHERE id = $1`, [id]);
      expect(await lease(id)).toEqual([]);
      expect(await store().findDueEndpoints('', 100)).not.toContain(id);
    }
  });

  it('finds endpoints with something due, and none that only wait for a retry', async () => {
    const due = await subscribeWithEvents(1);
    const { id: waiting } = await harness.subscribe('https://93.184.216.34/');
    await harness.ingest([harness.event()]);
    await harness.database.query(
      `UPDATE undelivered SET due_at = now() + interval '1 h' WHERE subscription_id = $1`,
      [waiting],
    );
    expect(await store().findDueEndpoints('', 100)).toEqual([due]);
    expect(await store().findDueEndpoints(due, 100)).toEqual([]);
  });
});

describe('recording an attempt', () => {
  it('stores a success whose lease has expired', async () => {
    const late = await leaseAndExpire(await subscribeWithEvents(1));
    expect(await record([delivered(late)])).toEqual(new Set([late.id]));
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({
      state: 'delivered',
      attemptCount: 1,
    });
  });

  it('changes nothing when another worker has recorded the same attempt', async () => {
    const late = await leaseAndExpire(await subscribeWithEvents(1));
    const next = await leaseOne(late.subscriptionId);
    expect(next.isTakenOver).toBe(true);
    await record([failed(next)]);
    expect(await record([delivered(late)])).toEqual(new Set());
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({
      state: 'failed',
      attemptCount: 1,
      attempts: [{ number: 1, status: 500 }],
    });
  });

  it('does not store a failure while another worker holds the lease', async () => {
    const late = await leaseAndExpire(await subscribeWithEvents(1));
    const next = await leaseOne(late.subscriptionId);
    expect(await record([failed(late)])).toEqual(new Set());
    expect(await record([delivered(next)])).toEqual(new Set([next.id]));
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({ attemptCount: 1 });
  });

  it.each(['expired', 'been released'])(
    'stores a failure when all later leases have %s',
    async (end) => {
      const late = await leaseAndExpire(await subscribeWithEvents(1));
      const next = await leaseAndExpire(late.subscriptionId);
      if (end === 'been released') await store().release([next]);
      expect(await record([failed(late)])).toEqual(new Set([late.id]));
      expect(await leaseOne(late.subscriptionId)).toMatchObject({
        attemptCount: 1,
        isTakenOver: false,
        takeOvers: 0,
      });
    },
  );

  it('makes the delivery exhausted when no attempt is left', async () => {
    const last = await leaseOne(await subscribeWithEvents(1));
    const exhausted: Attempt = { ...failed(last), outcome: 'exhausted', nextAttemptInMs: null };
    expect(await record([exhausted])).toEqual(new Set([last.id]));
    expect(await store().findDueEndpoints('', 100)).toEqual([]);
    expect(await lease(last.subscriptionId)).toEqual([]);
  });

  it('stores a success while another worker holds the lease', async () => {
    const late = await leaseAndExpire(await subscribeWithEvents(1));
    const next = await leaseOne(late.subscriptionId);
    expect(await record([delivered(late)])).toEqual(new Set([late.id]));
    expect(await record([failed(next)])).toEqual(new Set());
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({
      state: 'delivered',
      attempts: [{ number: 1, status: 204 }],
    });
  });

  it('stores an attempt once when it is written twice', async () => {
    const delivery = await leaseOne(await subscribeWithEvents(1));
    const attempt = failed(delivery);
    await record([attempt]);
    expect(await record([attempt])).toEqual(new Set());
    expect(await harness.deliveryOf(delivery.subscriptionId)).toMatchObject({ attemptCount: 1 });
  });
});
