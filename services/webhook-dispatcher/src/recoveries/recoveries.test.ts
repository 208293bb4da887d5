import type { Recovery } from '@atrium/contracts/webhooks/recoveries';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { type DeliverySeed, seedDelivery } from '../seed.fixture.ts';
import { runRecoveries } from './recoveries.ts';
import { createRecoveryStore } from './store.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(async () => {
  await harness.database.query('DELETE FROM subscriptions');
  await harness.database.query('DELETE FROM recoveries');
});
afterAll(() => harness?.[Symbol.asyncDispose]());

const HOUR_MS = 3_600_000;
const ago = (hours: number) => Date.now() - hours * HOUR_MS;
const recover = (id: string, sinceMs: number) =>
  harness.call(`/api/webhooks/${id}/recover`, {
    method: 'POST',
    body: { since: new Date(sinceMs).toISOString() },
  });
const seed = (
  subscriptionId: string,
  overrides: Omit<DeliverySeed, 'subscriptionId' | 'accountId'>,
) => seedDelivery(harness.database, { subscriptionId, accountId: harness.accountId, ...overrides });
const run = (wakeWorkers = async (): Promise<void> => undefined) => {
  const store = createRecoveryStore(harness.database);
  return runRecoveries(
    { store, wakeWorkers, publishChanges: () => undefined },
    new AbortController().signal,
  );
};
const read = async (id: string, recovery: string): Promise<Recovery> =>
  (await harness.call(`/api/webhooks/${id}/recoveries/${recovery}`)).body;
const subscribe = async () => (await harness.subscribe('https://93.184.216.34/')).id;

describe('a recovery', () => {
  it('makes due what was exhausted since the given time, and nothing else', async () => {
    const id = await subscribe();
    const other = await subscribe();
    const since = ago(2);
    const recovered = [
      await seed(id, { state: 'exhausted', createdMs: since }),
      await seed(id, { state: 'exhausted', createdMs: ago(1), attempts: 10 }),
    ];
    const left = [
      await seed(id, { state: 'exhausted', createdMs: since - 1 }),
      await seed(id, { state: 'exhausted', createdMs: ago(1), attempts: 98 }),
      await seed(other, { state: 'exhausted', createdMs: ago(1) }),
      await seed(id, { state: 'delivered', createdMs: ago(1) }),
    ];
    const failed = await seed(id, { state: 'failed', createdMs: ago(1) });
    const { status, body } = await recover(id, since);
    expect(status).toBe(202);
    expect(body).toEqual({
      id: expect.stringMatching(/^rcv_/),
      since: new Date(since).toISOString(),
      recovered: 0,
      createdAt: expect.any(String),
      completedAt: null,
    });
    await run();
    const completed = { recovered: 2, completedAt: expect.any(String) };
    expect(await read(id, body.id)).toMatchObject(completed);
    const state = async (delivery: string) => {
      const { body: found } = await harness.call(`/api/deliveries/${delivery}`);
      return [found.state, found.attemptCount];
    };
    expect(await Promise.all(recovered.map(state))).toEqual([
      ['pending', 5],
      ['pending', 10],
    ]);
    expect(await Promise.all(left.map(state))).toEqual([
      ['exhausted', 5],
      ['exhausted', 98],
      ['exhausted', 5],
      ['delivered', 1],
    ]);
    expect(await state(failed)).toEqual(['failed', 1]);
  });

  it('starts at once when it is asked for, and its deliveries are sent', async () => {
    await using receiver = await startReceiver();
    await using _worker = await harness.startWorker();
    const { id } = await harness.subscribe(receiver.url);
    await seed(id, { state: 'exhausted', createdMs: ago(1) });
    await recover(id, ago(2));
    await receiver.waitFor(1);
    await until(async () => (await harness.deliveryOf(id))?.state === 'delivered');
  });

  it('continues after the last batch of a worker that died, and counts each delivery once', async () => {
    const id = await subscribe();
    const seeded: string[] = [];
    for (let i = 0; i < 7; i += 1) {
      seeded.push(await seed(id, { state: 'exhausted', createdMs: ago(1) + i }));
    }
    const { body } = await recover(id, ago(2));
    const store = createRecoveryStore(harness.database);
    const step = await store.advance('', 3);
    expect(step).toMatchObject({ recoveryId: body.id, subscriptionId: id });
    expect(step?.deliveryIds.toSorted()).toEqual(seeded.slice(0, 3));
    const dying = harness.database.transaction({ job: 'test' }, async (tx) => {
      const rows = await tx.query('SELECT id FROM recoveries FOR UPDATE');
      // While one worker holds it, no other takes it.
      expect(await store.advance('', 3)).toBeUndefined();
      throw new Error(`died with ${rows.length}`);
    });
    await expect(dying).rejects.toThrow('died with 1');
    await Promise.all([run(), run()]);
    const completed = { recovered: 7, completedAt: expect.any(String) };
    expect(await read(id, body.id)).toMatchObject(completed);
  });

  it('alternates with the recoveries of other subscriptions', async () => {
    const store = createRecoveryStore(harness.database);
    const ids = [await subscribe(), await subscribe()];
    for (const id of ids) {
      for (let i = 0; i < 4; i += 1) await seed(id, { state: 'exhausted', createdMs: ago(1) + i });
      await recover(id, ago(2));
    }
    const order: (string | undefined)[] = [];
    for (let i = 0, last = ''; i < 4; i += 1) {
      const step = await store.advance(last, 2);
      last = step?.recoveryId ?? '';
      order.push(step?.subscriptionId);
    }
    expect(new Set(order)).toEqual(new Set(ids));
    expect(order.slice(0, 2)).toEqual(order.slice(2));
  });

  it('returns 409 while another one of the same subscription is running', async () => {
    const id = await subscribe();
    const answers = await Promise.all(Array.from({ length: 5 }, () => recover(id, ago(1))));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(1);
    expect(answers.find(({ status }) => status !== 202)).toEqual({
      status: 409,
      body: { error: 'Conflict', message: 'A recovery of this webhook is running already' },
    });
    await run();
    expect((await recover(id, ago(1))).status).toBe(202);
  });

  it('is refused without a time, for one in the future or before 1970, and for a disabled subscription', async () => {
    const id = await subscribe();
    const post = (body: object) =>
      harness.call(`/api/webhooks/${id}/recover`, { method: 'POST', body });
    expect((await post({})).status).toBe(400);
    expect((await post({ since: 'yesterday' })).status).toBe(422);
    expect((await recover(id, Date.now() + HOUR_MS)).body.message).toBe(
      'Since must not be in the future',
    );
    for (const since of ['0000-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z']) {
      const { status, body } = await post({ since });
      expect([status, body.message]).toEqual([422, 'Since must not be before 1970']);
    }
    expect((await post({ since: '9999-12-31T23:59:59Z' })).status).toBe(422);
    await harness.database.query('UPDATE subscriptions SET enabled = false');
    expect((await recover(id, ago(1))).status).toBe(409);
  });

  it('is listed in pages, newest first', async () => {
    const id = await subscribe();
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      ids.unshift((await recover(id, ago(1))).body.id);
      await run();
    }
    const path = `/api/webhooks/${id}/recoveries?limit=2`;
    const first = (await harness.call(path)).body;
    const second = (await harness.call(`${path}&cursor=${first.nextCursor}`)).body;
    const listed = [...first.data, ...second.data].map((each: Recovery) => each.id);
    expect(listed).toEqual(ids);
    expect(second.nextCursor).toBeNull();
    expect((await harness.call(`/api/webhooks/${id}/recoveries/rcv_none`)).status).toBe(404);
  });
});
