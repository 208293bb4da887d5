import { newId } from '@atrium/contracts/ids';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { admitHeldDeliveries } from '../ingestion/held-deliveries.ts';
import { ingestBatch } from '../ingestion/ingest.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() =>
  harness.database.query(
    'TRUNCATE subscriptions, events, deliveries, undelivered, held_deliveries',
  ),
);
afterAll(() => harness?.[Symbol.asyncDispose]());

const URL = 'https://93.184.216.34/';
const FILTER = { 'data.totalCents': { $gte: 1000 } };
const create = async (filter?: object): Promise<string> => {
  const body = { url: URL, events: ['note.shared'], filter };
  return (await harness.call('/api/webhooks', { method: 'POST', body })).body.id;
};
const change = (id: string, body: object) =>
  harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body });
const read = async (id: string) => (await harness.call(`/api/webhooks/${id}`)).body;
const order = (totalCents: number) => harness.event({ totalCents });
const deliveredTo = async (id: string): Promise<string[]> => {
  const { body } = await harness.call(`/api/webhooks/${id}/deliveries`);
  return body.data.map(({ eventId }: { eventId: string }) => eventId).toSorted();
};
const traceOf = async ({ id }: { id: string }) => (await harness.call(`/api/events/${id}`)).body;

describe('a subscription with a filter', () => {
  it('gets what matches; the rest is counted once and traced, for those that did not match', async () => {
    const everything = await create();
    const large = await create(FILTER);
    const [small, big] = [order(999), order(1000)];
    await harness.ingest([small, big]);
    await harness.ingest([small, big]);
    expect(await deliveredTo(everything)).toEqual([small.id, big.id].toSorted());
    expect(await deliveredTo(large)).toEqual([big.id]);
    expect(await read(large)).toMatchObject({ filter: FILTER, unmatchedCount: 1 });
    expect(await read(everything)).toMatchObject({ filter: null, unmatchedCount: 0 });
    expect((await traceOf(small)).unmatched).toEqual([large]);
    expect((await traceOf(big)).unmatched).toEqual([]);
  });

  it('has a trace of what nobody got', async () => {
    const id = await create(FILTER);
    const event = order(1);
    await harness.ingest([event]);
    expect(await traceOf(event)).toMatchObject({ deliveries: [], unmatched: [id] });
    const stranger = { token: harness.issuer.issueToken({ sub: newId('usr') }) };
    expect((await harness.call(`/api/events/${event.id}`, stranger)).status).toBe(404);
  });

  it('gets of held deliveries what matched when their events arrived', async () => {
    const everything = await create();
    const large = await create(FILTER);
    const deps = { ...harness.ingestDeps(), accountBacklogMax: 1, random: () => 0 };
    await ingestBatch({ events: [order(5000)] }, deps);
    const [small, big] = [order(1), order(2000)];
    await ingestBatch({ events: [small, big] }, deps);
    expect(await traceOf(small)).toMatchObject({ deliveries: [], unmatched: [large] });
    await change(large, { filter: null });
    await harness.database.query('DELETE FROM undelivered');
    const ignore = () => undefined;
    const admission = {
      ...deps,
      accountBacklogMax: 10,
      onDeliveries: ignore,
      publishChanges: ignore,
    };
    await admitHeldDeliveries(admission, new AbortController().signal);
    expect(await deliveredTo(everything)).toHaveLength(3);
    expect(await deliveredTo(large)).toHaveLength(2);
    expect((await traceOf(small)).unmatched).toEqual([large]);
  });

  it('is changed to another filter, counted from 0, or to none, and never to a wrong one', async () => {
    const id = await create(FILTER);
    await harness.ingest([order(1)]);
    const wrong = await change(id, { url: `${URL}other`, filter: { data: { a: { $like: 'x' } } } });
    expect(wrong).toEqual({
      status: 422,
      body: {
        error: 'Validation Error',
        message: 'The filter: data.a.$like is no operator',
      },
    });
    expect(await read(id)).toMatchObject({ url: URL, filter: FILTER, unmatchedCount: 1 });
    expect((await change(id, { description: 'Same' })).body.unmatchedCount).toBe(1);
    const filter = { data: { totalCents: { $gt: 0 } } };
    expect((await change(id, { filter })).body).toMatchObject({ filter, unmatchedCount: 0 });
    const event = order(1);
    await harness.ingest([event]);
    expect(await deliveredTo(id)).toEqual([event.id]);
    expect((await change(id, { filter: null })).body.filter).toBeNull();
    const refused = { url: URL, events: ['note.shared'], filter: { total: 1 } };
    expect((await harness.call('/api/webhooks', { method: 'POST', body: refused })).status).toBe(
      422,
    );
  });

  it('gets a test event whether it matches or not', async () => {
    const id = await create(FILTER);
    const body = { event: 'note.shared' };
    await harness.call(`/api/webhooks/${id}/test`, { method: 'POST', body });
    expect(await deliveredTo(id)).toHaveLength(1);
  });
});

describe('the preview of a filter', () => {
  const preview = (id: string, filter: object, token?: string) =>
    harness.call(`/api/webhooks/${id}/filter-preview`, {
      method: 'POST',
      body: { filter },
      ...(token !== undefined && { token }),
    });

  it('tries the last 50 events that the subscription asks for, got or not, and no others', async () => {
    const other = { url: URL, events: ['go.click', 'note.shared'] };
    await harness.call('/api/webhooks', { method: 'POST', body: other });
    const id = await create(FILTER);
    const events = Array.from({ length: 60 }, (_, n) => order(n < 57 ? 1 : 5000));
    await harness.ingest([...events, { ...harness.event(), event: 'go.click' }]);
    await harness.call(`/api/webhooks/${id}/test`, {
      method: 'POST',
      body: { event: 'note.shared' },
    });
    const { status, body } = await preview(id, FILTER);
    expect(status).toBe(200);
    expect(body.matching).toBe(3);
    const newest = events.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, 50);
    expect(body.data.map((event: { id: string }) => event.id)).toEqual(
      newest.map((event) => event.id),
    );
    expect((await preview(id, { 'data.totalCents': 1 })).body.matching).toBe(47);
    expect((await preview(id, { $and: 1 })).status).toBe(422);
    const stranger = harness.issuer.issueToken({ sub: newId('usr') });
    expect((await preview(id, FILTER, stranger)).status).toBe(404);
  });

  it('knows what only filters have seen', async () => {
    const id = await create(FILTER);
    await harness.ingest([order(1), order(2)]);
    expect((await preview(id, { 'data.totalCents': 2 })).body).toMatchObject({ matching: 1 });
  });
});
