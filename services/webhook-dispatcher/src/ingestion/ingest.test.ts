import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@atrium/contracts/ids';
import { eraseAccount } from '../account-data/store.ts';
import { startHarness } from '../harness.fixture.ts';
import { ingestBatch } from './ingest.ts';
import { createIngestionStore } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() =>
  harness.database.query(
    'TRUNCATE subscriptions, events, deliveries, undelivered, rejected_events',
  ),
);
afterAll(() => harness?.[Symbol.asyncDispose]());

const ingest = (payload: unknown, store = createIngestionStore(harness.database)) =>
  ingestBatch(payload, { ...harness.ingestDeps(), store });

const countDeliveries = async () => {
  const [row] = await harness.database.query(
    `SELECT count(*)::int AS all, count(DISTINCT (event_id, subscription_id))::int AS distinct,
      (SELECT count(*)::int FROM undelivered) AS undelivered,
      (SELECT count(*)::int FROM events) AS events FROM deliveries`,
  );
  return row;
};

const rejected = () =>
  harness.database.query(
    'SELECT event_id AS id, reason, payload FROM rejected_events ORDER BY seq',
  );

describe('ingestion', () => {
  it('creates one delivery per event and subscription when batches repeat concurrently', async () => {
    const { id: first } = await harness.subscribe('https://93.184.216.34/a');
    const { id: second } = await harness.subscribe('https://93.184.216.34/b');
    const events = Array.from({ length: 20 }, (_, i) => harness.event({ i }));
    const batches = [events, events.toReversed(), events.slice(5), events];
    const woken = await Promise.all(batches.map((batch) => ingest({ events: batch })));
    expect(new Set(woken.flat())).toEqual(new Set([first, second]));
    expect(await ingest({ events })).toEqual([]);
    expect(await countDeliveries()).toEqual({
      all: 40,
      distinct: 40,
      undelivered: 40,
      events: 20,
    });
  });

  it('skips other accounts, other kinds of event and disabled subscriptions', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/c');
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
    const other = { ...harness.event(), accountId: newId('usr') };
    const click = { ...harness.event(), event: 'go.click' };
    expect(await ingest({ events: [other, click] })).toEqual([]);
    await ingest({ events: [harness.event()] });
    expect(await harness.deliveryOf(id)).toBeUndefined();
  });

  it('stores the body as it will be sent', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/d');
    const event = harness.event({ title: 'ä "quoted" \u2028' });
    await ingest({ events: [event] });
    const { id: eventId, event: name, createdAt, data } = event;
    const body = JSON.stringify({ id: eventId, event: name, createdAt, data });
    expect(await harness.deliveryOf(id)).toMatchObject({ state: 'pending', attemptCount: 0, body });
  });

  it('rejects what is not an event, with the reason, and stores the rest of the batch', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/e');
    const good = harness.event();
    const poison = { ...harness.event(), event: 'no such' };
    expect(await ingest({ events: [poison, good, 'nonsense'] })).toEqual([id]);
    expect(await countDeliveries()).toMatchObject({ all: 1, events: 1 });
    expect(await rejected()).toEqual([
      { id: poison.id, reason: expect.stringContaining('event'), payload: JSON.stringify(poison) },
      { id: null, reason: expect.stringContaining('not an event'), payload: '"nonsense"' },
    ]);
  });

  it('rejects an event whose body is larger than 256 KiB', async () => {
    await harness.subscribe('https://93.184.216.34/f');
    const large = harness.event({ text: 'x'.repeat(262_144) });
    expect(await ingest({ events: [large] })).toEqual([]);
    expect(await rejected()).toMatchObject([
      { id: large.id, reason: expect.stringContaining('262144') },
    ]);
  });

  it('rejects the one event that Postgres refuses and stores the others', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/g');
    // Postgres stores no NUL in text.
    const poison = { ...harness.event(), requestId: 'a\0b' };
    const good = [harness.event(), harness.event()];
    expect(await ingest({ events: [good[0], poison, good[1]] })).toEqual([id]);
    expect(await countDeliveries()).toMatchObject({ all: 2, events: 2 });
    expect(await rejected()).toMatchObject([{ id: poison.id }]);
  });

  it('fails the batch and rejects no event when the database is at fault', async () => {
    await harness.subscribe('https://93.184.216.34/i');
    const batch = { events: [harness.event(), harness.event()] };
    await harness.database.query('ALTER TABLE undelivered RENAME TO elsewhere');
    try {
      await expect(ingest(batch)).rejects.toThrow('undelivered');
    } finally {
      await harness.database.query('ALTER TABLE elsewhere RENAME TO undelivered');
    }
    expect(await rejected()).toEqual([]);
    expect(await ingest(batch)).toHaveLength(1);
  });

  it('stores nothing for a subscription that is erased while its event is ingested', async () => {
    await harness.subscribe('https://93.184.216.34/j');
    const store = createIngestionStore(harness.database);
    const findThenErase: typeof store.findCandidates = async (events) => {
      const candidates = await store.findCandidates(events);
      await eraseAccount(harness.database, harness.accountId);
      return candidates;
    };
    const batch = { events: [harness.event()] };
    expect(await ingest(batch, { ...store, findCandidates: findThenErase })).toEqual([]);
    expect(await countDeliveries()).toMatchObject({ all: 0, undelivered: 0, events: 0 });
  });

  it('stores a fan-out of more deliveries than one statement takes', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/h');
    await harness.database.query(
      `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
       SELECT id || g, account_id, url, events, sealed_secret
       FROM subscriptions, generate_series(1, 149) g WHERE id = $1`,
      [id],
    );
    const events = Array.from({ length: 50 }, () => harness.event());
    expect(await ingest({ events })).toHaveLength(150);
    expect(await countDeliveries()).toMatchObject({ all: 7_500, undelivered: 7_500, events: 50 });
  });
});
