import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('TRUNCATE subscriptions, undelivered, deliveries'));
afterAll(() => harness?.[Symbol.asyncDispose]());

const healthOf = async (id: string) => {
  const { body } = await harness.call('/api/webhooks/health');
  return body.data.find((one: { id: string }) => one.id === id);
};
const tryNow = (id: string, token?: string) =>
  harness.call(`/api/webhooks/${id}/try-now`, { method: 'POST', ...(token && { token }) });

it('shows the rest of an endpoint that fails, what waits and the last answer, until it is mended', async () => {
  let status = 500;
  await using receiver = await startReceiver({ respond: () => ({ status }) });
  await using _worker = await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: [600_000] });
  const { id } = await harness.subscribe(receiver.url);
  expect(await healthOf(id)).toEqual({ id, rest: null, waiting: 0, lastAttempt: null });
  await harness.ingest(Array.from({ length: 50 }, () => harness.event()));
  await until(async () => (await healthOf(id)).rest !== null);
  const failing = await healthOf(id);
  expect(failing.rest.failures).toBeGreaterThanOrEqual(20);
  expect(failing.waiting).toBe(50);
  expect(failing.lastAttempt).toMatchObject({ status: 500, error: expect.any(String) });

  status = 204;
  const { status: answered, body } = await tryNow(id);
  expect(answered).toBe(200);
  expect(body.deliveryId).toMatch(/^dlv_/);
  // The deliveries that were to wait ten minutes follow the one that was sent.
  await until(async () => (await healthOf(id)).waiting === 0);
  expect(await healthOf(id)).toMatchObject({
    rest: null,
    lastAttempt: { status: 204, error: null },
  });
});

it('tries nothing of others, nothing while it is paused or disabled, and nothing where nothing waits', async () => {
  const { id } = await harness.subscribe('https://93.184.216.34/');
  const codeOf = async (answer: ReturnType<typeof tryNow>) => {
    const { status, body } = await answer;
    return [status, body.message];
  };
  const stranger = harness.issuer.issueToken({ sub: newId('usr') });
  expect(await codeOf(tryNow(id, stranger))).toEqual([404, 'Webhook not found']);
  expect(await codeOf(tryNow(id))).toEqual([409, 'No delivery waits']);
  const change = (body: object) => harness.call(`/api/webhooks/${id}`, { method: 'PATCH', body });
  await change({ paused: true });
  expect(await codeOf(tryNow(id))).toEqual([409, 'Webhook is paused, resume it first']);
  await change({ paused: false, enabled: false });
  expect((await codeOf(tryNow(id)))[0]).toBe(409);
  const { body } = await harness.call('/api/webhooks/health', { token: stranger });
  expect(body).toEqual({ data: [] });
});
