import { newId } from '@atrium/contracts/ids';
import type { DeliveryState } from '@atrium/contracts/webhooks/deliveries';
import { untilBlocked } from '@atrium/testkit/locks';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { seedDelivery } from '../seed.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('DELETE FROM subscriptions'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const redeliver = (id: string) =>
  harness.call(`/api/deliveries/${id}/redeliver`, { method: 'POST' });
const read = async (id: string) => (await harness.call(`/api/deliveries/${id}`)).body;
async function seeded(state: DeliveryState, attempts?: number) {
  const subscriptionId = (await harness.subscribe('https://93.184.216.34/')).id;
  const { accountId } = harness;
  return seedDelivery(harness.database, {
    subscriptionId,
    accountId,
    state,
    ...(attempts === undefined ? {} : { attempts }),
  });
}

describe('a redelivery', () => {
  it('sends an exhausted delivery again with the same id and five more attempts', async () => {
    let status = 500;
    await using receiver = await startReceiver({ respond: () => ({ status }) });
    await using _worker = await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: [1, 1, 1, 1] });
    const { id } = await harness.subscribe(receiver.url);
    await harness.send([harness.event()]);
    const delivery = await until(async () => {
      const found = await harness.deliveryOf(id);
      return found?.state === 'exhausted' && found;
    });
    expect(await redeliver(delivery.id)).toEqual({
      status: 202,
      body: { deliveryId: delivery.id },
    });
    await until(async () => (await read(delivery.id)).attemptCount === 10);
    expect((await read(delivery.id)).state).toBe('exhausted');
    status = 200;
    await redeliver(delivery.id);
    await until(async () => (await read(delivery.id)).state === 'delivered');
    // And what has been delivered may be sent again too.
    await redeliver(delivery.id);
    await until(async () => (await read(delivery.id)).attemptCount === 12);
    expect((await read(delivery.id)).state).toBe('delivered');
    const sent = receiver.requests.map(({ headers, rawBody }) => [
      headers['service-delivery'],
      rawBody.toString(),
    ]);
    expect(sent).toEqual(Array.from({ length: 12 }, () => [delivery.id, delivery.body]));
  });

  it.each(['delivered', 'exhausted', 'failed'] as const)(
    'makes a %s delivery pending, due now',
    async (state) => {
      const id = await seeded(state, 5);
      expect((await redeliver(id)).status).toBe(202);
      const [row] = await harness.database.query(
        `SELECT attempt_count AS count, attempts_allowed AS allowed, due_at <= now() AS due
       FROM undelivered WHERE delivery_id = $1`,
        [id],
      );
      expect(row).toEqual({ count: 5, allowed: 10, due: true });
      expect(await read(id)).toMatchObject({ state: 'pending', attemptCount: 5 });
    },
  );

  it('is sent at once, past the backlog and the rate limit of its endpoint', async () => {
    await using receiver = await startReceiver();
    const { id } = await harness.subscribe(receiver.url);
    const body = { rateLimitPerSecond: 1 };
    await harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body });
    await harness.ingest(Array.from({ length: 100 }, () => harness.event()));
    const { accountId, database } = harness;
    const sent = await seedDelivery(database, {
      subscriptionId: id,
      accountId,
      state: 'delivered',
    });
    await using _worker = await harness.startWorker();
    await receiver.waitFor(1);
    expect((await redeliver(sent)).status).toBe(202);
    await until(() =>
      receiver.requests.some(({ headers }) => headers['service-delivery'] === sent),
    );
    expect(receiver.requests.length).toBeLessThan(50);
  });

  it('returns 409 for a delivery that is due', async () => {
    const id = await seeded('pending');
    const message = 'Delivery is waiting for an attempt already';
    expect(await redeliver(id)).toEqual({ status: 409, body: { error: 'Conflict', message } });
  });

  it.each(['delivered', 'failed'] as const)('of a %s one happens once', async (state) => {
    const id = await seeded(state);
    const answers = await Promise.all(Array.from({ length: 8 }, () => redeliver(id)));
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(7);
  });

  it('counts an attempt that is being recorded meanwhile', async () => {
    const id = await seeded('failed');
    const deleted = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const recording = harness.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query('DELETE FROM undelivered WHERE delivery_id = $1', [id]);
      await tx.query(
        `INSERT INTO attempts (id, delivery_id, number, started_at, duration_ms, status)
         VALUES ($1, $2, 2, now(), 1, 200)`,
        [newId('att'), id],
      );
      deleted.resolve();
      await asked.promise;
    });
    await deleted.promise;
    const answer = redeliver(id);
    await untilBlocked(harness.database);
    asked.resolve();
    await recording;
    expect((await answer).status).toBe(202);
    expect((await read(id)).attemptCount).toBe(2);
  });

  it('returns 409 after a hundred attempts', async () => {
    for (const state of ['delivered', 'exhausted'] as const) {
      expect((await redeliver(await seeded(state, 95))).status).toBe(202);
      const refused = await redeliver(await seeded(state, 96));
      expect(refused.status).toBe(409);
      expect(refused.body.message).toBe('Delivery has had its 100 attempts');
    }
  });

  it('returns 409 while the subscription is disabled', async () => {
    const id = await seeded('exhausted');
    await harness.database.query('UPDATE subscriptions SET enabled = false');
    expect((await redeliver(id)).body.message).toBe('Webhook is disabled, enable it first');
  });
});
