import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eraseAccount } from '../account-data/store.ts';
import { startHarness } from '../harness.fixture.ts';
import { admitHeldEvents } from './held-events.ts';
import { ingestBatch } from './ingest.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() =>
  harness.database.query('TRUNCATE subscriptions, events, deliveries, undelivered, held_events'),
);
afterAll(() => harness?.[Symbol.asyncDispose]());

const BUDGET = 5;
/** A random number of 0 has every backlog counted. */
const deps = (options = {}) => ({
  ...harness.ingestDeps(),
  accountBacklogMax: BUDGET,
  random: () => 0,
  onDeliveries: () => undefined,
  ...options,
});
type Event = ReturnType<typeof harness.event>;
const ingest = (...events: Event[]) => ingestBatch({ events }, deps());
const admit = () => admitHeldEvents(deps(), new AbortController().signal);
const numbered = (count: number) => Array.from({ length: count }, (_, n) => harness.event({ n }));
const ids = async (table: 'events' | 'held_events') => {
  const [id, order] = table === 'events' ? ['id', 'id'] : ['event_id', 'seq'];
  const rows = await harness.database.query(`SELECT ${id} AS id FROM ${table} ORDER BY ${order}`);
  return rows.map((row) => String(Object.values(row)[0]));
};
const idsOf = (events: Event[]) => events.map(({ id }) => id);
const subscribe = async () => (await harness.subscribe('https://93.184.216.34/')).id;

describe('the backlog of an account', () => {
  it('holds new events when it is full, in order and once, while other accounts go on', async () => {
    await subscribe();
    const other = newId('usr');
    await harness.database.query(
      `INSERT INTO subscriptions (id, account_id, url, events, sealed_secret)
       VALUES ('whk_other', $1, 'https://93.184.216.34/', '{note.shared}', '')`,
      [other],
    );
    const first = numbered(BUDGET);
    await ingest(...first);
    const held = numbered(3);
    const quiet = { ...harness.event(), accountId: other };
    expect(await ingest(...held, quiet)).toEqual(['whk_other']);
    await ingest(...held);
    expect(await ids('events')).toEqual([...idsOf(first), quiet.id].toSorted());
    expect(await ids('held_events')).toEqual(idsOf(held));
  });

  it('admits what was held when there is capacity, and keeps later events behind it', async () => {
    await subscribe();
    await ingest(...numbered(BUDGET));
    const held = numbered(3);
    await ingest(...held);
    await admit();
    expect(await ids('held_events')).toEqual(idsOf(held));
    await harness.database.query('DELETE FROM undelivered');
    const later = harness.event();
    await ingest(later);
    expect(await ids('held_events')).toEqual([...idsOf(held), later.id]);
    await Promise.all([admit(), admit()]);
    expect(await ids('held_events')).toEqual([]);
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
    expect(await ids('events')).toEqual(idsOf([...first, login]).toSorted());
    expect(await ids('held_events')).toEqual(idsOf([...held, later]));
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
    await harness.database.query('DELETE FROM held_events');
    expect(await add(5, 0.51)).toHaveLength(1);
    expect(await add(5, 0.49)).toHaveLength(0);
  });

  it('does not count deliveries of a paused subscription', async () => {
    const id = await subscribe();
    await ingest(...numbered(BUDGET));
    await harness.call(`/api/webhooks/${id}/pause`, { method: 'POST' });
    expect(await ingest(harness.event())).toEqual([id]);
  });

  it('admits whole events, until there is no more capacity', async () => {
    await subscribe();
    await subscribe();
    await ingest(...numbered(BUDGET));
    const held = numbered(5);
    await ingest(...held);
    await harness.database.query('DELETE FROM undelivered');
    await admit();
    expect(await ids('held_events')).toEqual(idsOf(held.slice(3)));
  });

  it('holds nothing for an account that is erased meanwhile', async () => {
    await subscribe();
    await ingest(...numbered(BUDGET));
    const { held } = deps();
    const eraseThenHold = async (events: Parameters<typeof held.hold>[0]) => {
      await eraseAccount(harness.database, harness.accountId);
      await held.hold(events);
    };
    await ingestBatch({ events: numbered(2) }, deps({ held: { ...held, hold: eraseThenHold } }));
    expect(await ids('held_events')).toEqual([]);
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
    await until(async () => (await ids('held_events')).length === 0);
    await until(async () => {
      return (await harness.database.query('SELECT 1 FROM undelivered')).length === 0;
    });
  });
});
