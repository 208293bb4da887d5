import { newId } from '@atrium/contracts/ids';
import {
  createReplicatedDatabase,
  type ReplicatedDatabase,
  untilStandbyAnswers,
} from '@atrium/testkit/standby';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { createChangeLog } from '../live/change-log.ts';
import { openStream } from '../live/delivery-stream.fixture.ts';
import { seedDelivery } from '../seed.fixture.ts';

let replicated: ReplicatedDatabase;
let harness: Awaited<ReturnType<typeof startHarness>>;
let origin: string;
beforeAll(async () => {
  replicated = await createReplicatedDatabase('webhooks');
  harness = await startHarness({ replicated });
  origin = await harness.server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await harness?.[Symbol.asyncDispose]();
  await replicated?.[Symbol.asyncDispose]();
});
beforeEach(() => replicated.resumeReplay());

/** An account with a subscription that the standby has, and from now on nothing else. */
async function startAccount() {
  const accountId = newId('usr');
  const token = harness.issuer.issueToken({ sub: accountId, plan: 'pro' });
  const call = (path: string, options = {}) => harness.call(path, { token, ...options });
  const body = { url: 'https://93.184.216.34/', events: ['note.shared'] };
  const { id } = (await call('/api/webhooks', { method: 'POST', body })).body;
  const path = `/api/webhooks/${id}`;
  await untilStandbyAnswers(harness.metrics, () => call(`${path}/deliveries`));
  await replicated.pauseReplay();
  return {
    accountId,
    call,
    path,
    token,
    deliver: () =>
      seedDelivery(harness.database, { subscriptionId: id, accountId, state: 'delivered' }),
    /** How many deliveries each of the reads has seen. */
    read: async (): Promise<number[]> => {
      const all = (await call('/api/deliveries')).body.data;
      const own = (await call(`${path}/deliveries`)).body.data;
      const { buckets } = (await call(`${path}/statistics`)).body;
      const attempts = buckets.map((each: { attempts: number }) => each.attempts);
      return [all.length, own.length, Math.max(...attempts)];
    },
  };
}

describe('lists of deliveries and their statistics', () => {
  it('come from a standby, but to accounts that have just changed something', async () => {
    const { call, path, deliver, read } = await startAccount();
    const deliveryId = await deliver();
    expect(await read()).toEqual([0, 0, 0]);
    // A single delivery is always as it is now.
    expect((await call(`/api/deliveries/${deliveryId}`)).status).toBe(200);
    await call(path, { method: 'PATCH', body: { description: 'Shop' } });
    expect(await read()).toEqual([1, 1, 1]);
  });

  it('are as new as what a stream has told its reader', async () => {
    const { accountId, token, deliver, read } = await startAccount();
    await deliver();
    expect(await read()).toEqual([0, 0, 0]);
    await using stream = await openStream(origin, { token });
    await stream.waitFor(({ type }) => type === 'ready');
    // What was there before it is not sent.
    expect(await read()).toEqual([1, 1, 1]);
    await replicated.resumeReplay();
    await untilStandbyAnswers(harness.metrics, read);
    await replicated.pauseReplay();
    const id = await deliver();
    expect(await read()).toEqual([1, 1, 1]);
    const { redis, location } = harness;
    const log = createChangeLog({ redis, queuePrefix: location.queuePrefix, clockMs: Date.now });
    await log.append(new Map([[accountId, [id]]]));
    await stream.waitFor(({ data }) => data.id === id);
    expect(await read()).toEqual([2, 2, 2]);
  });

  it('are as new as what a recovery has told its owner', async () => {
    const { call, path, deliver, read } = await startAccount();
    const recovery = newId('rcv');
    await harness.database.query(
      'INSERT INTO recoveries (id, subscription_id, since) VALUES ($1, $2, now())',
      [recovery, path.split('/').at(-1)],
    );
    await deliver();
    expect(await read()).toEqual([0, 0, 0]);
    expect((await call(`${path}/recoveries/${recovery}`)).status).toBe(200);
    expect(await read()).toEqual([1, 1, 1]);
  });

  it('come from the primary when the standby fails', async () => {
    const { deliver, read } = await startAccount();
    await deliver();
    await replicated.outage.begin();
    expect(await read()).toEqual([1, 1, 1]);
    await replicated.outage.end();
  });
});
