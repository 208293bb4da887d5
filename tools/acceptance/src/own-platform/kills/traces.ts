import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { CHROME_ON_LINUX, createPerson } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { atrium, collector } from './platform.ts';

const { auth, links, webhooks } = atrium.urls;

test('one trace tells the way of a click from its request to each attempt, with the waits between', async () => {
  await using receiver = await startReceiver({
    respond: (n) => ({ status: n === 1 ? 500 : 204 }),
  });
  const { accessToken: token } = await createPerson(auth, atrium.mailbox, 'trudy');
  const post = (url: string, body: object) => call('POST', url, { token, body });
  await post(`${webhooks}/api/webhooks`, { url: receiver.url, events: ['go.click'] });
  const link = await post(`${links}/api/links`, { url: 'https://example.com/' });
  const stranger = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
  const traceparent = `00-${stranger.traceId}-${stranger.spanId}-01`;
  const headers = { 'user-agent': CHROME_ON_LINUX, traceparent };
  await call('GET', text(link.body, 'shortUrl'), { headers });

  const [, retry] = await receiver.waitFor(2);
  const { id } = JSON.parse(String(retry?.rawBody));
  const event = await call('GET', `${webhooks}/api/events/${id}`, { token });
  const traceId = text(event.body, 'traceId');
  expect(event.body['traceUrl']).toBe(`https://traces.example.com/${traceId}`);
  // Each process sends its spans by itself, so any of them may be the last.
  const spans = await until(() => {
    const found = collector.spans().filter((span) => span.traceId === traceId);
    expect(found.map(({ service, name }) => `${service}: ${name}`).toSorted()).toEqual([
      'links: GET /:slug',
      'links: send events',
      'links: wait in outbox',
      'links: wait to be stored',
      'webhook-worker: POST',
      'webhook-worker: POST',
      'webhook-worker: process events',
      'webhook-worker: store attempt',
      'webhook-worker: store attempt',
      'webhook-worker: wait for lease',
      'webhook-worker: wait for lease',
      'webhook-worker: wait for retry',
      'webhook-worker: wait for slot',
      'webhook-worker: wait for slot',
      'webhook-worker: wait in queue',
    ]);
    return found;
  });

  // One cause: the click. Nobody else's trace, though the visitor offered one.
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(root).toMatchObject({ service: 'links', name: 'GET /:slug', links: [stranger] });
  const parents = spans.filter((span) => span !== root).map(({ parentSpanId }) => parentSpanId);
  expect(new Set(parents)).toEqual(new Set([root?.spanId]));
  expect(spans.every(({ startMs, endMs }) => endMs >= startMs)).toBe(true);

  // Each attempt gave the receiver its own span.
  const attempts = spans.filter(({ name }) => name === 'POST');
  expect(attempts.map(({ attributes }) => attributes['http.response.status_code'])).toEqual([
    500, 204,
  ]);
  expect(receiver.requests.map((request) => request.headers['traceparent'])).toEqual(
    attempts.map(({ spanId }) => `00-${traceId}-${spanId}-01`),
  );

  const lines = (await atrium.logLines()).filter((line) => line.includes(traceId));
  const messages = lines.map((line) => JSON.parse(line.slice(line.indexOf('{'))).msg);
  expect(messages).toEqual(['request', 'delivery attempt', 'delivery attempt']);
});
