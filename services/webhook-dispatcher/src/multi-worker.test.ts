import { startRelay } from '@atrium/events/relay';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHarness } from './harness.fixture.ts';

const EVENTS = 10_000;
const BATCH = 500;

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness?.[Symbol.asyncDispose]());

it(
  'delivers 10,000 events once each through two relays and two workers',
  { timeout: 300_000 },
  async () => {
    await using receiver = await startReceiver();
    for (let i = 0; i < 20; i += 1) await harness.subscribe(receiver.url, ['go.click']);
    await harness.database.query(
      // Twenty owners with one subscription each, so that several endpoints are busy.
      `UPDATE subscriptions SET account_id = 'usr_' || substr(id, 5)`,
    );
    const owners = await harness.database.query<{ id: string }>(
      'SELECT account_id AS id FROM subscriptions',
    );
    await using _relays = relays();
    await using _first = await harness.startWorker({ WEBHOOK_TIMEOUT_MS: 120_000 });
    await using _second = await harness.startWorker({ WEBHOOK_TIMEOUT_MS: 120_000 });
    for (let start = 0; start < EVENTS; start += BATCH) {
      const events = Array.from({ length: BATCH }, (_, i) => clickOf(owners, start + i));
      await harness.database.transaction({ job: 'test' }, (tx) => tx.appendFor(events));
    }
    await receiver.waitFor(EVENTS, 240_000);
    const left = () => harness.database.query('SELECT 1 FROM undelivered LIMIT 1');
    await until(async () => (await left()).length === 0);

    const ids = receiver.requests.map(({ headers }) => headers['service-delivery']);
    expect(new Set(ids).size).toBe(EVENTS);
    expect(ids).toHaveLength(EVENTS);
    const [attempts] = await harness.database.query('SELECT count(*)::int AS all FROM attempts');
    expect(attempts).toEqual({ all: EVENTS });
  },
);

function relays(): AsyncDisposable {
  const { pool } = harness.database;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const stack = new AsyncDisposableStack();
  for (let i = 0; i < 2; i += 1) stack.use(startRelay({ pool, ...harness.location, logger }));
  return stack;
}

function clickOf(owners: readonly { id: string }[], n: number) {
  return {
    event: 'go.click',
    requestId: undefined,
    accountId: owners[n % owners.length]?.id ?? '',
    data: {
      linkId: 'lnk_00000000000000000000000000',
      slug: 'autumn',
      url: 'https://example.com/',
      clickedAt: new Date().toISOString(),
      referrer: null,
      userAgent: null,
    },
  } as const;
}
