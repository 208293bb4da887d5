import { createHmac } from 'node:crypto';
import { EVENT_CATALOGUE } from '@atrium/contracts/webhooks/event-catalogue';
import { EVENT_NAMES } from '@atrium/contracts/event-names';
import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startHarness } from '../harness.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
beforeAll(async () => {
  harness = await startHarness();
});
afterEach(() => harness.database.query('DELETE FROM subscriptions'));
afterAll(() => harness?.[Symbol.asyncDispose]());

describe('the event catalogue', () => {
  it('lists every event with its schema and an example, without authentication', async () => {
    const { status, body } = await harness.call('/api/event-types', { token: '' });
    expect(status).toBe(200);
    expect(body.nextCursor).toBeNull();
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual([...EVENT_NAMES]);
    const note = body.data.find(({ name }: { name: string }) => name === 'note.shared');
    expect(note).toMatchObject({
      description: expect.any(String),
      schema: {
        type: 'object',
        required: expect.arrayContaining(['noteId', 'sharedAt']),
        properties: { noteId: { type: 'string', pattern: expect.any(String) } },
      },
      example: EVENT_CATALOGUE['note.shared'].example,
    });
  });

  it('returns one event', async () => {
    const { body } = await harness.call('/api/event-types/go.click', { token: '' });
    expect(body).toMatchObject({ name: 'go.click', example: { slug: 'autumn' } });
    expect(await harness.call('/api/event-types/note.eaten')).toEqual({
      status: 404,
      body: { error: 'Not Found', message: 'Event type not found' },
    });
  });
});

describe('a test event', () => {
  const test = (id: string, event: string, token?: string) =>
    harness.call(`/api/webhooks/${id}/test`, {
      method: 'POST',
      body: { event },
      ...(token && { token }),
    });

  it.each(EVENT_NAMES)('of %s arrives signed at its subscription alone', async (event) => {
    await using receiver = await startReceiver();
    await using other = await startReceiver();
    await using _worker = await harness.startWorker();
    const { id, secret } = await harness.subscribe(receiver.url);
    await harness.subscribe(other.url);
    const { status, body } = await test(id, event);
    expect(status).toBe(202);
    const [request] = await receiver.waitFor(1);
    const text = request?.rawBody.toString() ?? '';
    expect(JSON.parse(text)).toEqual({
      id: expect.stringMatching(/^evt_/),
      event,
      createdAt: expect.any(String),
      data: EVENT_CATALOGUE[event].example,
    });
    expect(request?.headers).toMatchObject({
      'service-event': event,
      'service-delivery': body.deliveryId,
      'service-signature': createHmac('sha256', secret).update(text).digest('hex'),
    });
    const delivery = `/api/deliveries/${body.deliveryId}`;
    await until(async () => (await harness.call(delivery)).body.state === 'delivered');
    expect(other.requests).toHaveLength(0);
  });

  it('is sent at once to an endpoint that fails, past its backlog', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 500 }) });
    await using _worker = await harness.startWorker({ WEBHOOK_RETRY_DELAYS_MS: [600_000] });
    const { id } = await harness.subscribe(receiver.url);
    await harness.ingest(Array.from({ length: 200 }, () => harness.event()));
    // Its circuit has opened, for longer each time: what is due now waits for half a minute.
    await until(async () => {
      const before = receiver.requests.length;
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      return before > 20 && receiver.requests.length === before;
    });
    const { body } = await test(id, 'go.click');
    await until(() =>
      receiver.requests.some(({ headers }) => headers['service-delivery'] === body.deliveryId),
    );
    const waiting = await harness.database.query(
      'SELECT 1 FROM undelivered WHERE subscription_id = $1 AND attempt_count = 0',
      [id],
    );
    expect(waiting.length).toBeGreaterThan(100);
  });

  it('is refused for an unknown kind and for a disabled subscription', async () => {
    const { id } = await harness.subscribe('https://93.184.216.34/');
    expect((await test(id, 'note.eaten')).status).toBe(422);
    const path = `/api/webhooks/${id}`;
    await harness.call(path, { method: 'PATCH', body: { enabled: false } });
    expect(await test(id, 'go.click')).toEqual({
      status: 409,
      body: { error: 'Conflict', message: 'Webhook is disabled, enable it first' },
    });
    expect(await harness.deliveryOf(id)).toBeUndefined();
  });

  it('returns 429 beyond the rate limit of the account', async () => {
    // The budget comes back with time, which stands still meanwhile.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const token = harness.issuer.issueToken({ sub: newId('usr') });
    const ask = async () => (await test('whk_none', 'go.click', token)).status;
    // Sent at once, because Redis expires a count by its own clock.
    const answers = await Promise.all(Array.from({ length: 30 }, ask));
    expect(answers).toEqual(Array.from({ length: 30 }, () => 404));
    expect(await ask()).toBe(429);
  });
});
