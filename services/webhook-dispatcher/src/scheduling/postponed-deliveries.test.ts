import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import type { LeasedDelivery, PostponedAttempt } from '../sending/deliver.ts';
import { attemptOf } from './attempt.fixture.ts';
import { createAttemptStore } from './attempt-store.ts';
import { createLeaseStore } from './lease-store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const store = () => createLeaseStore(harness.database, 15_000);
const postpone = (cause: PostponedAttempt['cause']) => (delivery: LeasedDelivery) =>
  store().postpone(delivery, { cause, delayMs: 0 });
const fail =
  (status: number | null, nextAttemptInMs: number | null = 0) =>
  (delivery: LeasedDelivery) => {
    const outcome = nextAttemptInMs === null ? 'exhausted' : 'retry';
    const attempt = attemptOf(delivery, { outcome, status, error: 'failed', nextAttemptInMs });
    return createAttemptStore(harness.database).recordAttempts([attempt]);
  };

/** Of the only delivery of a new subscription. */
async function start() {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  await harness.ingest([harness.event()]);
  // Times in the database are rounded to milliseconds, so what is due now may be due in a moment.
  const leaseOne = () =>
    vi.waitFor(async () => {
      const [leased] = await store().lease({ limit: 1, bytes: 100, slots: new Map([[id, 1]]) });
      if (leased === undefined) throw new Error('Nothing was leased');
      return leased;
    }, 30_000);
  const sinceAfter = async (change: (delivery: LeasedDelivery) => Promise<unknown>) => {
    await change(await leaseOne());
    const next = await leaseOne();
    await store().release([next]);
    return next.postponedSinceMs;
  };
  return { id, leaseOne, sinceAfter };
}

it('tells since when look-ups of a delivery time out, until it is answered or redelivered', async () => {
  const { leaseOne, sinceAfter } = await start();
  expect(await sinceAfter(postpone('busy'))).toBeNull();
  const first = await sinceAfter(postpone('lookup'));
  expect(first).not.toBeNull();
  expect(await sinceAfter(postpone('lookup'))).toBe(first);
  expect(await sinceAfter(postpone('busy'))).toBe(first);
  expect(await sinceAfter(fail(null))).toBe(first);
  expect(await sinceAfter(fail(500))).toBeNull();

  expect(await sinceAfter(postpone('lookup'))).not.toBeNull();
  const last = await leaseOne();
  await fail(null, null)(last);
  await harness.call(`/api/deliveries/${last.id}/redeliver`, { method: 'POST' });
  expect((await leaseOne()).postponedSinceMs).toBeNull();
});

it('counts no expired leases from before it was postponed', async () => {
  const { leaseOne } = await start();
  await leaseOne();
  await harness.database.query(`UPDATE undelivered SET leased_until = now() - interval '1 s'`);
  const taken = await leaseOne();
  expect(taken.takeOvers).toBe(1);
  await postpone('busy')(taken);
  expect((await leaseOne()).takeOvers).toBe(0);
});

it.each([
  ['paused', true],
  ['enabled', false],
])('starts anew once a webhook is used again that had %s: %s', async (name, rests) => {
  const { id, sinceAfter } = await start();
  const set = (value: boolean) =>
    harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { [name]: value } });
  const postponeAndRest = async (delivery: LeasedDelivery) => {
    await postpone('lookup')(delivery);
    await set(rests);
    await set(!rests);
  };
  expect(await sinceAfter(postponeAndRest)).toBeNull();
});
