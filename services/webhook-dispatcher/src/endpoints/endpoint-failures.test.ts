import { DISABLED_REASONS } from '@atrium/contracts/webhooks/disabled-reasons';
import { INBOX } from '@atrium/contracts/queues';
import { createLogger } from '@atrium/service-kit/logger';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { leased, testKeyRing } from '../sending/sender.fixture.ts';
import { EndpointFailures } from './endpoint-failures.ts';
import { createEndpointFailuresStore } from './endpoint-failures-store.ts';

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

describe('a failing endpoint', () => {
  it('is disabled when it answers 410, and its owner is told why', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 410 }) });
    await using _worker = await harness.startWorker();
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

  it('stays enabled when its URL was changed before the old one answered 410', async () => {
    const changed = Promise.withResolvers<undefined>();
    await using receiver = await startReceiver({
      respond: () => changed.promise.then(() => ({ status: 410 })),
    });
    const { id } = await harness.subscribe(receiver.url);
    {
      await using _worker = await harness.startWorker();
      await harness.send([harness.event()]);
      await receiver.waitFor(1);
      const body = { url: 'https://93.184.216.34/' };
      await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body });
      changed.resolve(undefined);
    }
    expect(await harness.deliveryOf(id)).toMatchObject({ attempts: [{ status: 410 }] });
    expect(await subscription(id)).toMatchObject({ enabled: true });
    expect(await messages()).toEqual([]);
  });

  it('shows failingSince until its first success', async () => {
    let status = 500;
    await using receiver = await startReceiver({ respond: () => ({ status }) });
    await using _worker = await harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    await until(async () => (await subscription(id)).failingSince !== null);
    expect(await subscription(id)).toMatchObject({ enabled: true });
    status = 204;
    await harness.send([harness.event()]);
    await until(async () => (await subscription(id)).failingSince === null);
  });

  it('keeps the time of its first failure when later ones are stored', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    const store = createEndpointFailuresStore(harness.database);
    await store.markFailing([id]);
    const { failingSince } = await subscription(id);
    expect(failingSince).not.toBeNull();
    await store.markFailing([id]);
    expect(await subscription(id)).toMatchObject({ failingSince });
  });

  it('is disabled once and its owner told once when several workers find it gone', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    const store = createEndpointFailuresStore(harness.database);
    const { gone } = DISABLED_REASONS;
    const disable = () => store.disableGone([{ id, url: 'https://93.184.216.34/' }]);
    await disable();
    await disable();
    expect(await subscription(id)).toMatchObject({ enabled: false, disabledReason: gone });
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body: { enabled: true } });
    await harness.call(`/api/webhooks/${id}`, { method: 'DELETE' });
    await disable();
    expect(await messages()).toMatchObject([{ data: { webhookId: id, reason: gone } }]);
  });

  it('is disabled by the next exhausted delivery after it has failed for five days', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 500 }) });
    await using _worker = await harness.startWorker();
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

  it('stays enabled when a retry succeeds, however long ago its last failure was', async () => {
    const statuses = [500, 204];
    await using receiver = await startReceiver({
      respond: () => ({ status: statuses.shift() ?? 204 }),
    });
    const { id } = await harness.subscribe(receiver.url);
    await harness.database.query(
      `UPDATE subscriptions SET failing_since = now() - interval '6 days'`,
    );
    await using _worker = await harness.startWorker();
    await harness.send([harness.event()]);
    await until(async () => (await subscription(id)).failingSince === null);
    expect(await subscription(id)).toMatchObject({ enabled: true });
    expect(receiver.requests).toHaveLength(2);
  });
});

describe('EndpointFailures', () => {
  const keyRing = testKeyRing();
  const logger = createLogger({ service: 'test', level: 'silent' });
  afterEach(() => vi.useRealTimers());

  /** Notes what is written, one line for each statement. */
  function setUp() {
    vi.useFakeTimers();
    const written: string[] = [];
    const db = { isAway: false };
    const write = (what: string) => async (ids: readonly string[]) => {
      if (db.isAway) throw new Error('away');
      written.push(`${what} ${ids.join()}`);
    };
    const writeGone = write('gone');
    const failures = new EndpointFailures(
      {
        markFailing: write('failing'),
        markRecovered: write('recovered'),
        disableGone: (gone) => writeGone(gone.map(({ id, url }) => `${id} ${url}`)),
        disableAfterFiveDays: write('disable after five days'),
      },
      logger,
    );
    const observe = (
      outcome: 'delivered' | 'retry' | 'exhausted' | 'gone',
      failingSinceMs: number | null = null,
    ) => {
      const endpoint = { failingSinceMs };
      failures.observe({ outcome }, leased(keyRing, 'https://example.com', { endpoint }));
    };
    const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    return { failures, observe, pass, written, db };
  }

  it('writes changes only', async () => {
    const { observe, pass, written } = setUp();
    observe('delivered');
    await pass(1_000);
    expect(written).toEqual([]);
    observe('retry');
    observe('retry');
    await pass(1_000);
    observe('retry');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1']);
    // Leased before the failure was written, so they do not show it.
    observe('delivered');
    observe('delivered');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1', 'recovered whk_1']);
    observe('retry');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1', 'recovered whk_1', 'failing whk_1']);
  });

  it('writes a failing endpoint again after a minute, since its owner may have enabled it anew', async () => {
    const { observe, pass, written } = setUp();
    observe('retry');
    await pass(59_000);
    observe('retry');
    await pass(1_001);
    expect(written).toEqual(['failing whk_1']);
    observe('retry');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1', 'failing whk_1']);
  });

  it('writes only the recovery when a success follows failures', async () => {
    const { observe, pass, written } = setUp();
    observe('retry');
    observe('exhausted', 1);
    observe('delivered', 1);
    await pass(1_000);
    expect(written).toEqual(['recovered whk_1']);
  });

  it('writes the next failure when the first could not be written', async () => {
    const { observe, pass, written, db } = setUp();
    db.isAway = true;
    observe('retry');
    await pass(1_000);
    db.isAway = false;
    observe('retry');
    await pass(1_000);
    expect(written).toEqual(['failing whk_1']);
  });

  it('writes what is left on disposal', async () => {
    const { failures, observe, written } = setUp();
    observe('exhausted', 1);
    observe('gone');
    await failures[Symbol.asyncDispose]();
    expect(written).toEqual(['disable after five days whk_1', 'gone whk_1 https://example.com']);
  });
});
