import { newId } from '@atrium/contracts/ids';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { admitHeldEvents } from './admit.ts';
import { createHeldEventsStore } from './held-events-store.ts';
import { ingestBatch } from './ingest.ts';
import { createIngestionStore } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() =>
  harness.database.query('TRUNCATE subscriptions, events, deliveries, undelivered, held_events'),
);
afterAll(() => harness?.[Symbol.asyncDispose]());

const BUDGET = 5;
function deps() {
  const { database } = harness;
  return {
    store: createIngestionStore(database),
    held: createHeldEventsStore(database, BUDGET),
    logger: createLogger({ service: 'test', level: 'silent' }),
    clockMs: Date.now,
    onRejected: () => undefined,
    onDeliveries: () => undefined,
  };
}
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

  it('admits what was held when there is room, and keeps later events behind it', async () => {
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

  it('keeps the deliveries of a subscription that is disabled while its events wait', async () => {
    const id = await subscribe();
    await ingest(...numbered(BUDGET));
    await ingest(...numbered(2));
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: false } });
    await admit();
    const rows = await harness.database.query('SELECT 1 FROM undelivered');
    expect(rows).toHaveLength(BUDGET + 2);
  });

  it('delivers every event of a flood once', async () => {
    await using receiver = await startReceiver();
    await harness.subscribe(receiver.url);
    await using _worker = harness.startWorker({ accountBacklogMax: BUDGET });
    const events = numbered(60);
    for (let i = 0; i < 6; i += 1) await harness.send(events.slice(i * 10, i * 10 + 10));
    await receiver.waitFor(60);
    const sent = receiver.requests.map(({ rawBody }) => JSON.parse(rawBody.toString()).id);
    expect([sent.length, new Set(sent)]).toEqual([60, new Set(idsOf(events))]);
    await until(async () => (await ids('held_events')).length === 0);
    await until(async () => {
      return (await harness.database.query('SELECT 1 FROM undelivered')).length === 0;
    });
  });
});
