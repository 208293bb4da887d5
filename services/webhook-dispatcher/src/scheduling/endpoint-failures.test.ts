import { INBOX } from '@atrium/contracts/queues';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { EndpointHealth } from './endpoint-failures.ts';
import { createHealthStore } from './endpoint-failures-store.ts';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import { attemptOf } from './attempt.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered, outbox'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const subscription = async (id: string) => (await harness.call(`/api/webhooks/${id}`)).body;
const messages = () =>
  harness.database.query(
    'SELECT queue, event AS kind, account_id AS "accountId", data FROM outbox',
  );

describe('an endpoint', () => {
  it('that answers 410 is disabled, and its owner is told why', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 410 }) });
    await using _worker = harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event(), harness.event()]);
    await until(async () => (await subscription(id)).enabled === false);
    const reason = 'The endpoint answered 410 Gone';
    expect(await subscription(id)).toMatchObject({ disabledReason: reason });
    await until(async () => (await messages()).length > 0);
    expect(await messages()).toEqual([
      {
        queue: INBOX.auth,
        kind: 'webhook.disabled',
        accountId: harness.accountId,
        data: { webhookId: id, url: receiver.url, reason },
      },
    ]);
  });

  it('that fails shows since when, and forgets it with the first success', async () => {
    let status = 500;
    await using receiver = await startReceiver({ respond: () => ({ status }) });
    await using _worker = harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    await until(async () => (await subscription(id)).failingSince !== null);
    expect(await subscription(id)).toMatchObject({ enabled: true });
    status = 204;
    await harness.send([harness.event()]);
    await until(async () => (await subscription(id)).failingSince === null);
  });

  it('shows the first failure, however many workers note a later one', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    const store = createHealthStore(harness.database);
    await store.startedFailing([id]);
    const { failingSince } = await subscription(id);
    expect(failingSince).not.toBeNull();
    await store.startedFailing([id]);
    expect(await subscription(id)).toMatchObject({ failingSince });
  });

  it('is disabled once, and its owner told once, whoever finds it gone', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    const store = createHealthStore(harness.database);
    for (const reason of ['first', 'second']) await store.disable(id, reason);
    expect(await subscription(id)).toMatchObject({ enabled: false, disabledReason: 'first' });
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    await store.disable(id, 'deleted meanwhile');
    expect(await messages()).toMatchObject([{ data: { webhookId: id, reason: 'first' } }]);
  });

  it('that has failed for five days is disabled by its next failure, and not before', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 500 }) });
    await using _worker = harness.startWorker();
    const ids: string[] = [];
    for (const days of [4.9, 5.1]) {
      const { id } = await harness.subscribe(receiver.url);
      ids.push(id);
      await harness.database.query(
        `UPDATE subscriptions SET failing_since = now() - $2 * interval '1 day' WHERE id = $1`,
        [id, days],
      );
    }
    const [recent = '', long = ''] = ids;
    await harness.send([harness.event()]);
    await until(async () => (await subscription(long)).enabled === false);
    expect(await subscription(long)).toMatchObject({
      disabledReason: 'Every delivery failed for five days',
    });
    expect(await subscription(recent)).toMatchObject({ enabled: true, disabledReason: null });
    expect(await messages()).toMatchObject([
      { kind: 'webhook.disabled', data: { webhookId: long } },
    ]);
  });
});

describe('what attempts tell of an endpoint', () => {
  const keyRing = testKeyRing();
  const logger = createLogger({ service: 'test', level: 'silent' });
  afterEach(() => vi.useRealTimers());

  /** What is written, one line for each statement. */
  function setUp() {
    vi.useFakeTimers();
    const written: string[] = [];
    const db = { isAway: false };
    const write = (what: string) => async (of: string | readonly string[]) => {
      if (db.isAway) throw new Error('away');
      written.push(`${what} ${[of].flat().join()}`);
    };
    const health = new EndpointHealth(
      {
        startedFailing: write('failing'),
        recovered: write('recovered'),
        disable: write('disable'),
        disableAfterFiveDays: write('perhaps disable'),
      },
      logger,
    );
    const observe = (
      state: 'delivered' | 'failed',
      of: { failingSinceMs?: number; disableReason?: string } = {},
    ) => {
      const { failingSinceMs = null, disableReason = null } = of;
      const record = attemptOf({}, { startedMs: 0, status: null, state, disableReason });
      const endpoint = { failingSinceMs };
      health.observe(record, leased(keyRing, 'https://example.com', { endpoint }));
    };
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    return { health, observe, pass, written, db };
  }

  it('is written when it changes, and not while all goes well', async () => {
    const { observe, pass, written } = setUp();
    observe('delivered');
    await pass(1_000);
    expect(written).toEqual([]);
    observe('failed');
    observe('failed');
    await pass(1_000);
    observe('failed');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1']);
    // Leased before it was known to fail, as are all of a big lease.
    observe('delivered');
    observe('delivered');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1', 'recovered whk_1']);
    observe('failed');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1', 'recovered whk_1', 'failing whk_1']);
  });

  it('is written again after a minute: its owner may have enabled it anew', async () => {
    const { observe, pass, written } = setUp();
    observe('failed');
    await pass(59_000);
    observe('failed');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1']);
    observe('failed');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1', 'failing whk_1']);
  });

  it('is good once a request succeeds, whatever failed just before', async () => {
    const { observe, pass, written } = setUp();
    observe('failed');
    observe('failed', { failingSinceMs: 1 });
    observe('delivered', { failingSinceMs: 1 });
    await pass(1_000);
    expect(written).toEqual(['recovered whk_1']);
  });

  it('is learned anew when it could not be written', async () => {
    const { observe, pass, written, db } = setUp();
    db.isAway = true;
    observe('failed');
    await pass(1_000);
    db.isAway = false;
    observe('failed');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1']);
  });

  it('is written at the end', async () => {
    const { health, observe, written } = setUp();
    observe('failed', { failingSinceMs: 1 });
    observe('failed', { disableReason: 'gone' });
    await health[Symbol.asyncDispose]();
    expect(written).toEqual(['perhaps disable whk_1', 'disable whk_1']);
  });
});
