import { createLogger } from '@atrium/service-kit/logger';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '@atrium/contracts/ids';
import { eraseAccount } from '../account-data/store.ts';
import type { Reserve, UnleasedDelivery } from '../scheduling/reservations.ts';
import { noPlaces, startHarness } from '../harness.fixture.ts';
import { fanOut } from './fan-out.ts';
import { takeIn } from './ingest.ts';
import { createIntakeStore } from './store.ts';

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

const take = (payload: unknown, reserve: Reserve = noPlaces) =>
  takeIn(payload, {
    store: createIntakeStore(harness.database),
    reserve,
    logger: createLogger({ service: 'test', level: 'silent' }),
    clockMs: Date.now,
    onRejected: () => undefined,
  });

/** Keeps a place for each delivery but those to `full`, and notes what it is told. */
function places(full = '') {
  const started: UnleasedDelivery[] = [];
  const told = { started, givenBack: 0 };
  const reserve: Reserve = (wanted) => ({
    lease: { leaseId: LEASE_ID, leaseMs: 60_000 },
    ids: new Set(wanted.filter((d) => d.subscriptionId !== full).map((d) => d.id)),
    start: (deliveries) => void started.push(...deliveries),
    [Symbol.dispose]: () => void (told.givenBack += 1),
  });
  return { reserve, told };
}

const LEASE_ID = '11111111-1111-4111-8111-111111111111';

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

describe('intake', () => {
  it('makes one delivery per event and subscription, however often and at once it comes', async () => {
    const { id: first } = await harness.subscribe('https://93.184.216.34/a');
    const { id: second } = await harness.subscribe('https://93.184.216.34/b');
    const events = Array.from({ length: 20 }, (_, i) => harness.event({ i }));
    const batches = [events, events.toReversed(), events.slice(5), events];
    const taken = await Promise.all(batches.map((batch) => take({ events: batch })));
    expect(new Set(taken.flat())).toEqual(new Set([first, second]));
    expect(await take({ events })).toEqual([]);
    expect(await countDeliveries()).toEqual({
      all: 40,
      distinct: 40,
      undelivered: 40,
      events: 20,
    });
  });

  it('passes over other accounts, other kinds and disabled subscriptions', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/c');
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
    const other = { ...harness.event(), accountId: newId('usr') };
    const click = { ...harness.event(), event: 'go.click' };
    expect(await take({ events: [other, click] })).toEqual([]);
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

  it('sets aside what is no event, with the reason, and takes in the rest of its batch', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/e');
    const good = harness.event();
    const poison = { ...harness.event(), event: 'no.such' };
    expect(await take({ events: [poison, good, 'nonsense'] })).toEqual([id]);
    expect(await countDeliveries()).toMatchObject({ all: 1, events: 1 });
    expect(await rejected()).toEqual([
      { id: poison.id, reason: expect.stringContaining('event'), payload: JSON.stringify(poison) },
      { id: null, reason: expect.stringContaining('not an event'), payload: '"nonsense"' },
    ]);
  });

  it('sets aside a body beyond 256 KiB', async () => {
    await harness.subscribe('https://93.184.216.34/f');
    const large = harness.event({ text: 'x'.repeat(262_144) });
    expect(await take({ events: [large] })).toEqual([]);
    expect(await rejected()).toMatchObject([
      { id: large.id, reason: expect.stringContaining('262144') },
    ]);
  });

  it('finds the one event that Postgres refuses, and takes in the others', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/g');
    // A request id is text, and Postgres keeps no NUL in text.
    const poison = { ...harness.event(), requestId: 'a\0b' };
    const good = [harness.event(), harness.event()];
    expect(await take({ events: [good[0], poison, good[1]] })).toEqual([id]);
    expect(await countDeliveries()).toMatchObject({ all: 2, events: 2 });
    expect(await rejected()).toMatchObject([{ id: poison.id }]);
  });

  it('blames no event for a fault of the database: the batch fails and will come again', async () => {
    await harness.subscribe('https://93.184.216.34/i');
    const batch = { events: [harness.event(), harness.event()] };
    await harness.database.query('ALTER TABLE undelivered RENAME TO elsewhere');
    try {
      await expect(take(batch)).rejects.toThrow('undelivered');
    } finally {
      await harness.database.query('ALTER TABLE elsewhere RENAME TO undelivered');
    }
    expect(await rejected()).toEqual([]);
    expect(await take(batch)).toHaveLength(1);
  });

  it('leaves nothing behind for a subscription that was erased meanwhile', async () => {
    await harness.subscribe('https://93.184.216.34/j');
    const store = createIntakeStore(harness.database);
    const accepted = [{ event: harness.event(), body: '{}' }];
    const deliveries = fanOut(accepted, await store.candidates(accepted), Date.now());
    expect(deliveries).toHaveLength(1);
    await eraseAccount(harness.database, harness.accountId);
    using full = noPlaces([]);
    for await (const stored of store.store(accepted, deliveries, full)) expect(stored).toEqual([]);
    expect(await countDeliveries()).toMatchObject({ all: 0, undelivered: 0 });
  });

  it('stores under a lease what has a place, starts that, and tells where the rest waits', async () => {
    const { id: kept } = await harness.subscribe('https://93.184.216.34/k');
    const { id: full } = await harness.subscribe('https://93.184.216.34/l');
    const event = { ...harness.event(), requestId: 'req-1' };
    const { reserve, told } = places(full);
    expect(await take({ events: [event] }, reserve)).toEqual([full]);
    const rows = await harness.database.query<{ id: string; leaseId: string | null }>(
      `SELECT delivery_id AS id, subscription_id AS "subscriptionId", lease_id AS "leaseId",
         extract(epoch FROM leased_until - now())::int BETWEEN 1 AND 60 AS "isLeased"
       FROM undelivered ORDER BY lease_id`,
    );
    expect(rows).toMatchObject([
      { subscriptionId: kept, leaseId: LEASE_ID, isLeased: true },
      { subscriptionId: full, leaseId: null, isLeased: null },
    ]);
    expect(told.started).toMatchObject([
      {
        id: rows[0]?.id,
        subscriptionId: kept,
        event: 'note.shared',
        body: expect.stringContaining(event.id),
        attemptCount: 0,
        attemptsAllowed: 5,
        eventRequestId: 'req-1',
        endpoint: { url: 'https://93.184.216.34/k', sealedHeaders: null, failingSinceMs: null },
      },
    ]);
    expect(told.givenBack).toBe(1);
  });

  it('starts nothing that it has had before, and nothing that was not stored', async () => {
    await harness.subscribe('https://93.184.216.34/m');
    const batch = { events: [harness.event()] };
    await take(batch);
    const { reserve, told } = places();
    expect(await take(batch, reserve)).toEqual([]);
    await harness.database.query('ALTER TABLE undelivered RENAME TO elsewhere');
    try {
      await expect(take({ events: [harness.event()] }, reserve)).rejects.toThrow('undelivered');
    } finally {
      await harness.database.query('ALTER TABLE elsewhere RENAME TO undelivered');
    }
    expect(told).toEqual({ started: [], givenBack: 2 });
  });

  it('keeps no place for a subscription that is paused', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/n');
    await harness.call(`/api/webhooks/${id}/pause`, { method: 'POST' });
    const { reserve, told } = places();
    expect(await take({ events: [harness.event()] }, reserve)).toEqual([id]);
    expect(told.started).toEqual([]);
  });

  /** Subscriptions of one account, so many that a statement stores 13 events at most. */
  async function subscribeMany(): Promise<void> {
    const { id } = await harness.subscribe('https://93.184.216.34/h');
    await harness.database.query(
      `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
       SELECT id || g, account_id, url, events, sealed_secret
       FROM subscriptions, generate_series(1, 149) g WHERE id = $1`,
      [id],
    );
  }

  it('carries a fan-out larger than one statement may be', async () => {
    await subscribeMany();
    const events = Array.from({ length: 50 }, () => harness.event());
    expect(await take({ events })).toHaveLength(150);
    expect(await countDeliveries()).toMatchObject({ all: 7_500, undelivered: 7_500, events: 50 });
  });

  it('starts what one statement has stored, although the next one fails', async () => {
    await subscribeMany();
    const events = Array.from({ length: 20 }, () => harness.event());
    // Outlives the first statement and no other.
    await harness.database.pool.query(`
      CREATE SEQUENCE statements;
      CREATE FUNCTION fail_later() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('statements') > 1 THEN RAISE 'away' USING ERRCODE = '57P01'; END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER fail_later AFTER INSERT ON undelivered EXECUTE FUNCTION fail_later()`);
    const { reserve, told } = places();
    try {
      await expect(take({ events }, reserve)).rejects.toThrow('away');
    } finally {
      await harness.database.pool.query(
        'DROP FUNCTION fail_later CASCADE; DROP SEQUENCE statements CASCADE',
      );
    }
    expect(told).toMatchObject({ givenBack: 1, started: { length: 13 * 150 } });
    expect(await countDeliveries()).toMatchObject({ undelivered: 13 * 150 });
  });
});
