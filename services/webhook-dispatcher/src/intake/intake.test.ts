import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@atrium/contracts/ids';
import { startHarness } from '../harness.fixture.ts';
import { takeIn } from './intake.ts';
import { createIntakeStore } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

describe('intake', () => {
  const take = (payload: unknown) =>
    takeIn(payload, { store: createIntakeStore(harness.database), clockMs: Date.now });

  it('makes one delivery per event and subscription, however often and at once it comes', async () => {
    await harness.subscribe('https://93.184.216.34/a');
    await harness.subscribe('https://93.184.216.34/b');
    const events = Array.from({ length: 20 }, (_, i) => harness.event({ i }));
    const batches = [events, events.toReversed(), events.slice(5), events];
    const counts = await Promise.all(batches.map((events) => take({ events })));
    expect(counts.reduce((sum, count) => sum + count)).toBe(40);
    expect(await take({ events })).toBe(0);
    const [row] = await harness.database.query(
      `SELECT count(*)::int AS all, count(DISTINCT (event_id, subscription_id))::int AS distinct,
        (SELECT count(*)::int FROM events) AS events FROM deliveries`,
    );
    expect(row).toEqual({ all: 40, distinct: 40, events: 20 });
  });

  it('passes over other accounts, other kinds and disabled subscriptions', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/c');
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
    const other = { ...harness.event(), accountId: newId('usr') };
    const click = { ...harness.event(), event: 'go.click' };
    expect(await take({ events: [other, click] })).toBe(0);
    await take({ events: [harness.event()] });
    expect(await harness.deliveryOf(id)).toBeUndefined();
  });

  it('stores the body once, as it will be sent', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/d');
    const event = harness.event({ title: 'ä "quoted" \u2028' });
    await take({ events: [event] });
    const { id: eventId, event: name, createdAt, data } = event;
    const body = JSON.stringify({ id: eventId, event: name, createdAt, data });
    expect(await harness.deliveryOf(id)).toMatchObject({ state: 'pending', attemptCount: 0, body });
  });

  it('refuses what is not a batch of events', async () => {
    await expect(take({ events: [{ id: 'evt_1' }] })).rejects.toThrow('not a batch');
  });
});
