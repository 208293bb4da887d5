import { INBOX } from '@atrium/contracts/queues';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

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
