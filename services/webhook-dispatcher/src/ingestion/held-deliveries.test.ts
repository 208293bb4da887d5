import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { admitHeldDeliveries } from './held-deliveries.ts';
import { ingestBatch } from './ingest.ts';

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

const BUDGET = 5;
/** A random number of 0 has every backlog counted. */
const deps = (options = {}) => ({
  ...harness.ingestDeps(),
  accountBacklogMax: BUDGET,
  random: () => 0,
  onDeliveries: () => undefined,
  publishChanges: () => undefined,
  ...options,
});
type Event = ReturnType<typeof harness.event>;
const ingest = (...events: Event[]) => ingestBatch({ events }, deps());
const admit = (options = {}) => admitHeldDeliveries(deps(options), new AbortController().signal);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => harness.event({ n }));
/** Of the events whose deliveries are made, or held. */
const ids = async (table: 'undelivered' | 'held_deliveries') => {
  const rows = await harness.database.query(
    `SELECT event_id AS id FROM ${table} ORDER BY event_id, subscription_id`,
  );
  return rows.map((row) => String(Object.values(row)[0]));
};
const idsOf = (events: Event[]) => events.map(({ id }) => id);
/** The last of all by its id. */
const subscribeOther = async () => {
  const accountId = newId('usr');
  await harness.database.query(
    `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
     VALUES ('whk_zzz', $1, 'https://93.184.216.34/', '{note.shared}', '')`,
    [accountId],
  );
  return { accountId, id: 'whk_zzz' };
};
const hold = (count: number) =>
  harness.database.query(
    `INSERT INTO held_deliveries (subscription_id, event_id, event)
     SELECT id, 'evt_' || n, 'note.shared' FROM subscriptions, generate_series(1, $1::int) n`,
    [count],
  );
const waiting = (table: string, id: string) =>
  harness.database.query(`SELECT FROM ${table} WHERE subscription_id = $1`, [id]);
const subscribe = async () => (await harness.subscribe('https://93.184.216.34/')).id;

describe('the backlog of an account', () => {
  it('holds new events when it is full, in order and once, while other accounts go on', async () => {
    await subscribe();
    const other = await subscribeOther();
    const first = numbered(BUDGET);
    await ingest(...first);
    const held = numbered(3);
    const quiet = { ...harness.event(), accountId: other.accountId };
    expect(await ingest(...held, quiet)).toEqual([other.id]);
    await ingest(...held);
    expect(await ids('undelivered')).toEqual([...idsOf(first), quiet.id].toSorted());
    expect(await ids('held_deliveries')).toEqual(idsOf(held));
  });

  it('admits what was held when there is capacity, and keeps later events behind it', async () => {
    await subscribe();
    await ingest(...numbered(BUDGET));
    const held = numbered(3);
    await ingest(...held);
    await admit();
    expect(await ids('held_deliveries')).toEqual(idsOf(held));
    await harness.database.query('DELETE FROM undelivered');
    const later = harness.event();
    await ingest(later);
    expect(await ids('held_deliveries')).toEqual([...idsOf(held), later.id]);
    await Promise.all([admit(), admit()]);
    expect(await ids('held_deliveries')).toEqual([]);
    const rows = await harness.database.query('SELECT event_id FROM undelivered');
    expect(rows).toHaveLength(4);
  });

  it('does not hold a suspicious login, and keeps other events in order', async () => {
    await harness.subscribe('https://93.184.216.34/', ['note.shared', 'auth.suspicious_login']);
    const first = numbered(BUDGET);
    await ingest(...first);
    const held = numbered(2);
    const login = { ...harness.event(), event: 'auth.suspicious_login' as const };
    await ingest(...held, login);
    const later = harness.event();
    await ingest(later);
    expect(await ids('undelivered')).toEqual(idsOf([...first, login]).toSorted());
    expect(await ids('held_deliveries')).toEqual(idsOf([...held, later]));
  });

  it('is counted the likelier the more events are added', async () => {
    await subscribe();
    await ingest(...numbered(100));
    const add = (count: number, random: number) =>
      ingestBatch(
        { events: numbered(count) },
        deps({ accountBacklogMax: 100, random: () => random }),
      );
    expect(await add(1, 0.11)).toHaveLength(1);
    expect(await add(1, 0.09)).toHaveLength(0);
    await harness.database.query('DELETE FROM held_deliveries');
    expect(await add(5, 0.51)).toHaveLength(1);
    expect(await add(5, 0.49)).toHaveLength(0);
  });

  it('does not count deliveries of a paused subscription', async () => {
    const id = await subscribe();
    await ingest(...numbered(BUDGET));
    await harness.call(`/api/webhooks/${id}/pause`, { method: 'POST' });
    expect(await ingest(harness.event())).toEqual([id]);
  });

  it('admits the oldest of each webhook, until there is no more capacity', async () => {
    await subscribe();
    await subscribe();
    await ingest(...numbered(BUDGET));
    const held = numbered(5);
    await ingest(...held);
    await harness.database.query('DELETE FROM undelivered');
    await admit();
    const rows = await harness.database.query(
      `SELECT count(*)::int AS count FROM held_deliveries GROUP BY subscription_id ORDER BY count`,
    );
    expect(rows).toEqual([{ count: 2 }]);
    expect(await ids('held_deliveries')).toEqual(idsOf(held.slice(3)));
  });

  it('holds up no other webhook of the account, up to an equal share of the limit', async () => {
    const slow = await subscribe();
    await ingest(...numbered(BUDGET));
    const healthy = await subscribe();
    const [first, ...others] = numbered(5);
    if (first === undefined) throw new Error('No event');
    expect(await ingest(first)).toEqual([healthy]);
    for (const event of others) await ingest(event);
    expect(await waiting('undelivered', healthy)).toHaveLength(3);
    expect(await waiting('undelivered', slow)).toHaveLength(BUDGET);
    await harness.database.query('DELETE FROM undelivered WHERE subscription_id = $1', [healthy]);
    await admit();
    expect(await waiting('held_deliveries', healthy)).toHaveLength(0);
    expect(await waiting('held_deliveries', slow)).toHaveLength(5);
  });

  it('keeps what is held for a webhook that is deleted and restored', async () => {
    const id = await subscribe();
    await ingest(...numbered(BUDGET));
    const held = numbered(2);
    await ingest(...held);
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    await admit();
    await harness.call(`/api/webhooks/${id}/restore`, { method: 'POST' });
    await harness.database.query('DELETE FROM undelivered');
    await admit();
    expect(await ids('undelivered')).toEqual(idsOf(held));
  });

  it('keeps the deliveries of a subscription that is disabled while its events wait', async () => {
    const id = await subscribe();
    await ingest(...numbered(BUDGET));
    await ingest(...numbered(2));
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
    await admit();
    const rows = await harness.database.query('SELECT 1 FROM undelivered');
    expect(rows).toHaveLength(BUDGET + 2);
  });

  it('does not let the deliveries of paused webhooks hold up other accounts', async () => {
    for (const id of [await subscribe(), await subscribe()]) {
      await harness.call(`/api/webhooks/${id}/pause`, { method: 'POST' });
    }
    await hold(1_500);
    const other = await subscribeOther();
    await harness.database.query(
      `INSERT INTO held_deliveries VALUES ($1, 'evt_1', 'note.shared')`,
      [other.id],
    );
    await admit();
    expect(await ids('held_deliveries')).toHaveLength(1_000);
    expect(await waiting('undelivered', other.id)).toHaveLength(1);
    await admit();
    expect(await ids('undelivered')).toHaveLength(3_001);
  });

  it('goes on with other accounts when one cannot be counted', async () => {
    const id = await subscribe();
    const other = await subscribeOther();
    await hold(1);
    const { held } = deps();
    const countBacklog = (accountId: string, max: number) =>
      accountId === harness.accountId
        ? Promise.reject(new Error('statement timeout'))
        : held.countBacklog(accountId, max);
    await admit({ held: { ...held, countBacklog } });
    expect(await waiting('held_deliveries', id)).toHaveLength(1);
    expect(await waiting('undelivered', other.id)).toHaveLength(1);
  });

  it('delivers every event of a flood once, also when the worker is restarted', async () => {
    await using receiver = await startReceiver();
    await harness.subscribe(receiver.url);
    const events = numbered(30);
    await ingest(...events.slice(0, BUDGET));
    await ingest(...events.slice(BUDGET, 20));
    {
      await using _worker = await harness.startWorker({ WEBHOOK_ACCOUNT_BACKLOG: BUDGET });
      await receiver.waitFor(BUDGET + 1);
    }
    await using _worker = await harness.startWorker({ WEBHOOK_ACCOUNT_BACKLOG: BUDGET });
    await harness.send(events.slice(20));
    await receiver.waitFor(30);
    const sent = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).id);
    expect([sent.length, new Set(sent)]).toEqual([30, new Set(idsOf(events))]);
    await until(async () => (await ids('held_deliveries')).length === 0);
    await until(async () => {
      return (await harness.database.query('SELECT 1 FROM undelivered')).length === 0;
    });
  });
});
