import { newId } from '@atrium/contracts/ids';
import { STATISTICS_DELIVERIES_MAX } from '@atrium/contracts/webhooks/delivery-statistics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { seedDelivery } from '../seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;

async function startAccount() {
  const accountId = newId('usr');
  const token = harness.issuer.issueToken({ sub: accountId });
  const body = { url: 'https://93.184.216.34/', events: ['note.shared'] };
  const { id } = (await harness.call('/api/webhooks', { method: 'POST', body, token })).body;
  const read = (interval = 'hour') =>
    harness.call(`/api/webhooks/${id}/statistics?interval=${interval}`, { token });
  const seed = (state: 'delivered' | 'failed' | 'exhausted', createdMs: number) =>
    seedDelivery(harness.database, { subscriptionId: id, accountId, state, createdMs });
  return { id, read, seed };
}

const countOf = (buckets: { attempts: number }[]) =>
  buckets.reduce((sum, { attempts }) => sum + attempts, 0);

describe('the statistics of a subscription', () => {
  it('count attempts by the hour in which they were made', async () => {
    const { read, seed } = await startAccount();
    const thisHourMs = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const first = await seed('delivered', thisHourMs - 2 * HOUR_MS);
    const second = await seed('failed', thisHourMs - 2 * HOUR_MS + 1);
    await seed('exhausted', thisHourMs - HOUR_MS);
    await seed('delivered', thisHourMs - 25 * HOUR_MS);
    await harness.database.query(
      `UPDATE attempts SET duration_ms = CASE delivery_id WHEN $1 THEN 10 ELSE 900 END
       WHERE delivery_id IN ($1, $2)`,
      [first, second],
    );
    const { complete, buckets } = (await read()).body;
    expect(complete).toBe(true);
    expect(buckets).toHaveLength(24);
    const bucketAt = (hoursAgo: number) =>
      buckets.find(
        ({ startsAt }: { startsAt: string }) =>
          startsAt === new Date(thisHourMs - hoursAgo * HOUR_MS).toISOString(),
      );
    expect(bucketAt(2)).toMatchObject({ attempts: 2, succeeded: 1, medianMs: 10, p95Ms: 900 });
    expect(bucketAt(1)).toMatchObject({ attempts: 5, succeeded: 0, medianMs: 7, p95Ms: 7 });
    expect(bucketAt(0)).toMatchObject({ attempts: 0, succeeded: 0, medianMs: null, p95Ms: null });
    expect(countOf(buckets)).toBe(7);
  });

  it('cover thirty days', async () => {
    const { read, seed } = await startAccount();
    const createdMs = Date.now() - 20 * 24 * HOUR_MS;
    await seed('delivered', createdMs);
    await seed('delivered', createdMs - 20 * 24 * HOUR_MS);
    const { buckets } = (await read('day')).body;
    expect(buckets).toHaveLength(30);
    expect(countOf(buckets)).toBe(1);
    const day = new Date(createdMs).toISOString().slice(0, 10);
    expect(buckets).toContainEqual({
      startsAt: `${day}T00:00:00.000Z`,
      attempts: 1,
      succeeded: 1,
      medianMs: 7,
      p95Ms: 7,
    });
  });

  it('are not complete when as many deliveries as are read wait for their first attempt', async () => {
    const { id, read } = await startAccount();
    const filler = newId('dlv').slice(0, -5);
    const add = (first: number, last: number) =>
      harness.database.query(
        `INSERT INTO deliveries (id, event_id, subscription_id, event)
         SELECT $1 || lpad(n::text, 5, '0'), 'evt_' || n, $2, 'note.shared'
         FROM generate_series($3::int, $4::int) n`,
        [filler, id, first, last],
      );
    await add(1, STATISTICS_DELIVERIES_MAX - 1);
    expect((await read()).body.complete).toBe(true);
    await add(STATISTICS_DELIVERIES_MAX, STATISTICS_DELIVERIES_MAX);
    const { complete, buckets } = (await read()).body;
    expect([complete, buckets.length, countOf(buckets)]).toEqual([false, 24, 0]);
  });

  it('are not given to another account', async () => {
    const { id } = await startAccount();
    const token = harness.issuer.issueToken({ sub: newId('usr') });
    expect((await harness.call(`/api/webhooks/${id}/statistics`, { token })).status).toBe(404);
  });
});
