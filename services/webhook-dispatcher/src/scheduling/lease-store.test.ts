import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import type { AttemptRecord } from '../sending/deliver.ts';
import { attemptOf } from './attempt.fixture.ts';
import { createDeliveryStore } from './lease-store.ts';
import type { LeasedDelivery } from '../sending/deliver.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const store = () => createDeliveryStore(harness.database);

async function lease(subscriptionId: string, wish: { limit?: number; leaseMs?: number } = {}) {
  const { limit = 10, leaseMs = 60_000 } = wish;
  const rooms = new Map([[subscriptionId, limit]]);
  return store().lease({ leaseId: randomUUID(), leaseMs, limit, rooms });
}

async function leaseOne(subscriptionId: string, leaseMs?: number): Promise<LeasedDelivery> {
  const [delivery] = await lease(subscriptionId, leaseMs === undefined ? {} : { leaseMs });
  if (delivery === undefined) throw new Error('Nothing was leased');
  return delivery;
}

function resultOf(
  delivery: LeasedDelivery,
  result: Pick<AttemptRecord, 'state' | 'nextAttemptInMs'>,
): AttemptRecord {
  const answer =
    result.state === 'delivered' ? { status: 204 } : { status: 500, error: 'Answered 500' };
  return attemptOf(delivery, { ...answer, ...result });
}

const delivered = { state: 'delivered', nextAttemptInMs: null } as const;
const failed = { state: 'failed', nextAttemptInMs: 0 } as const;

async function subscribeWithEvents(count: number): Promise<string> {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await harness.intake(Array.from({ length: count }, () => harness.event()));
  return id;
}

describe('a lease', () => {
  it('takes of each endpoint at most its room, and nothing that is leased', async () => {
    const id = await subscribeWithEvents(5);
    const first = await lease(id, { limit: 3 });
    const second = await lease(id);
    expect([first.length, second.length]).toEqual([3, 2]);
    expect(new Set([...first, ...second].map((delivery) => delivery.id)).size).toBe(5);
    expect(await lease(id)).toEqual([]);
  });

  it('takes no more than each endpoint’s room, nor than its limit in all', async () => {
    const ids = [await subscribeWithEvents(5), await subscribeWithEvents(5)];
    const take = async (room: number, limit: number) => {
      const rooms = new Map(ids.map((id) => [id, room]));
      const rows = await store().lease({ leaseId: randomUUID(), leaseMs: 60_000, limit, rooms });
      return ids.map((id) => rows.filter((row) => row.subscriptionId === id).length);
    };
    expect(await take(2, 100)).toEqual([2, 2]);
    const [first = 0, second = 0] = await take(3, 4);
    expect(first + second).toBe(4);
  });

  it('takes what has been due longest, and nothing before its time', async () => {
    const id = await subscribeWithEvents(3);
    const [early = '', late = '', never = ''] = (await lease(id, { leaseMs: 0 })).map(
      (delivery) => delivery.id,
    );
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
    expect((await lease(id, { limit: 1 })).map((row) => row.id)).toEqual([early]);
    expect((await lease(id)).map((row) => row.id)).toEqual([late]);
  });

  it('knows the secret before a rotation only until receivers must have the new one', async () => {
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
      const { endpoint } = await leaseOne(id, 0);
      expect(endpoint.previousSealedSecret).toBe(previous);
    }
  });

  it('that is given back can be had at once, by whoever holds it alone', async () => {
    const late = await leaseOne(await subscribeWithEvents(1), 0);
    const next = await leaseOne(late.subscriptionId);
    await store().release([late]);
    expect(await lease(late.subscriptionId)).toEqual([]);
    await store().release([next]);
    expect(await lease(late.subscriptionId)).toMatchObject([{ id: late.id, takenOver: false }]);
  });

  it('is never given twice, however many ask at once', async () => {
    const id = await subscribeWithEvents(100);
    const leases = await Promise.all(Array.from({ length: 8 }, () => lease(id, { limit: 30 })));
    const ids = leases.flat().map((delivery) => delivery.id);
    expect(new Set(ids).size).toBe(ids.length);
    const rest = await lease(id, { limit: 100 });
    expect(ids.length + rest.length).toBe(100);
  });

  it('passes over paused, disabled and deleted subscriptions', async () => {
    for (const change of ['paused = true', 'enabled = false', 'deleted_at = now()']) {
      const id = await subscribeWithEvents(1);
      await harness.database.query(`UPDATE subscriptions SET ${change} WHERE id = $1`, [id]);
      expect(await lease(id)).toEqual([]);
      expect(await store().dueEndpoints('', 100)).not.toContain(id);
    }
  });

  it('is found where something is due, and not where it is only waiting', async () => {
    const due = await subscribeWithEvents(1);
    const { id: waiting } = await harness.subscribe('https://93.184.216.34/');
    await harness.intake([harness.event()]);
    await harness.database.query(
      `UPDATE undelivered SET due_at = now() + interval '1 h' WHERE subscription_id = $1`,
      [waiting],
    );
    expect(await store().dueEndpoints('', 100)).toEqual([due]);
    expect(await store().dueEndpoints(due, 100)).toEqual([]);
  });
});

describe('the result of an attempt', () => {
  it('counts although its lease has run out', async () => {
    const late = await leaseOne(await subscribeWithEvents(1), 0);
    expect(await store().record([resultOf(late, delivered)])).toEqual(new Set([late.id]));
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({
      state: 'delivered',
      attemptCount: 1,
    });
  });

  it('changes nothing when another worker has stored the same attempt', async () => {
    const late = await leaseOne(await subscribeWithEvents(1), 0);
    const next = await leaseOne(late.subscriptionId);
    expect(next.takenOver).toBe(true);
    await store().record([resultOf(next, failed)]);
    expect(await store().record([resultOf(late, delivered)])).toEqual(new Set());
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({
      state: 'failed',
      attemptCount: 1,
      attempts: [{ number: 1, status: 500 }],
    });
  });

  it('leaves another worker’s lease alone when it is a failure', async () => {
    const late = await leaseOne(await subscribeWithEvents(1), 0);
    const next = await leaseOne(late.subscriptionId);
    expect(await store().record([resultOf(late, failed)])).toEqual(new Set());
    expect(await store().record([resultOf(next, delivered)])).toEqual(new Set([next.id]));
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({ attemptCount: 1 });
  });

  it.each(['run out', 'been given back'])(
    'is a failure that counts when all later leases have %s',
    async (end) => {
      const late = await leaseOne(await subscribeWithEvents(1), 0);
      const next = await leaseOne(late.subscriptionId, 0);
      if (end === 'been given back') await store().release([next]);
      expect(await store().record([resultOf(late, failed)])).toEqual(new Set([late.id]));
      expect(await leaseOne(late.subscriptionId)).toMatchObject({
        attemptCount: 1,
        takenOver: false,
      });
    },
  );

  it('is the end when no attempt is left', async () => {
    const last = await leaseOne(await subscribeWithEvents(1));
    const exhausted = { state: 'exhausted', nextAttemptInMs: null } as const;
    expect(await store().record([resultOf(last, exhausted)])).toEqual(new Set([last.id]));
    expect(await store().dueEndpoints('', 100)).toEqual([]);
    expect(await lease(last.subscriptionId)).toEqual([]);
  });

  it('is a success whoever holds the lease', async () => {
    const late = await leaseOne(await subscribeWithEvents(1), 0);
    const next = await leaseOne(late.subscriptionId);
    expect(await store().record([resultOf(late, delivered)])).toEqual(new Set([late.id]));
    expect(await store().record([resultOf(next, failed)])).toEqual(new Set());
    expect(await harness.deliveryOf(late.subscriptionId)).toMatchObject({
      state: 'delivered',
      attempts: [{ number: 1, status: 204 }],
    });
  });

  it('is stored once, however often it is written', async () => {
    const delivery = await leaseOne(await subscribeWithEvents(1));
    const result = resultOf(delivery, failed);
    await store().record([result]);
    expect(await store().record([result])).toEqual(new Set());
    expect(await harness.deliveryOf(delivery.subscriptionId)).toMatchObject({ attemptCount: 1 });
  });
});
