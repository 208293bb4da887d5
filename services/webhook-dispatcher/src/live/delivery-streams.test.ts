import { newId } from '@atrium/contracts/ids';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startHarness } from '../harness.fixture.ts';
import { openStream, type OpenedStream, type StreamedEvent } from './delivery-stream.fixture.ts';

let harness: Awaited<ReturnType<typeof startHarness>>;
let origins: string[];
beforeAll(async () => {
  harness = await startHarness();
  const servers = [harness.server, await harness.startServer()];
  origins = await Promise.all(servers.map((each) => each.listen({ port: 0, host: '127.0.0.1' })));
});
afterAll(() => harness?.[Symbol.asyncDispose]());

/** An account with a subscription whose receiver answers as the test says. */
async function startAccount() {
  const receiver = await startReceiver({ respond: () => ({ status: answers.status }) });
  const answers = { status: 204 };
  const accountId = newId('usr');
  const sessionId = newId('ses');
  const issue = (expiresInSeconds = 900) =>
    harness.issuer.issueToken({ sub: accountId, sid: sessionId, plan: 'pro', expiresInSeconds });
  const token = issue();
  const call = (path: string, body?: object) =>
    harness.call(path, { token, ...(body === undefined ? {} : { method: 'POST', body }) });
  const subscribe = async (path: string) => {
    const body = { url: receiver.url + path, events: ['note.shared', 'go.click'] };
    return (await call('/api/webhooks', body)).body.id as string;
  };
  return {
    accountId,
    sessionId,
    answers,
    token,
    issue,
    call,
    subscribe,
    open: (options: { origin?: string; query?: string; lastEventId?: string } = {}) =>
      openStream(options.origin ?? origins[0] ?? '', { token, ...options }),
    share: () => harness.send([{ ...harness.event(), accountId }]),
    click: () => harness.send([{ ...harness.event(), accountId, event: 'go.click' }]),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

const ready = (stream: OpenedStream) => stream.waitFor(({ type }) => type === 'ready');
const statesOf = ({ events }: OpenedStream) => [...new Set(events.map(({ data }) => data.state))];
const isIn = (state: string) => (event: StreamedEvent) => event.data.state === state;

describe('a stream of deliveries', () => {
  it('sends every state of a delivery, at each replica, to its owner alone', async () => {
    await using account = await startAccount();
    await using other = await startAccount();
    const webhookId = await account.subscribe('/');
    await using first = await account.open();
    await using second = await account.open({ origin: origins[1] ?? '' });
    await using foreign = await other.open();
    expect(first.headers['content-type']).toBe('text/event-stream');
    await Promise.all([first, second, foreign].map(ready));
    account.answers.status = 500;
    await account.share();
    await using worker = await harness.startWorker({
      WEBHOOK_RETRY_DELAYS_MS: [2_000, 20, 20, 20],
    });
    for (const stream of [first, second]) await stream.waitFor(isIn('failed'));
    account.answers.status = 204;
    const [{ data }] = [await first.waitFor(isIn('delivered'))];
    await second.waitFor(isIn('delivered'));
    expect(data).toEqual(
      (await account.call(`/api/webhooks/${webhookId}/deliveries`)).body.data[0],
    );
    expect(statesOf(first)).toContain('failed');
    expect(foreign.events.map(({ type }) => type)).toEqual(['ready']);
    await worker[Symbol.asyncDispose]();
  });

  it('sends only what its filters ask for', async () => {
    await using account = await startAccount();
    const [one, two] = [await account.subscribe('/1'), await account.subscribe('/2')];
    await using all = await account.open();
    await using byWebhook = await account.open({ query: `?webhookId=${one}` });
    await using byEvent = await account.open({ query: '?event=go.click&state=delivered' });
    await Promise.all([all, byWebhook, byEvent].map(ready));
    await using _worker = await harness.startWorker();
    await account.share();
    await account.click();
    // A delivery may be sent more than once.
    const delivered = ({ events }: OpenedStream) => [
      ...new Set(
        events.filter(isIn('delivered')).map(({ data }) => `${data.event} ${data.webhookId}`),
      ),
    ];
    await until(() => delivered(all).length === 4);
    await until(() => delivered(byWebhook).length === 2 && delivered(byEvent).length === 2);
    expect(delivered(byWebhook).toSorted()).toEqual([`go.click ${one}`, `note.shared ${one}`]);
    expect(delivered(byEvent).toSorted()).toEqual(
      [`go.click ${one}`, `go.click ${two}`].toSorted(),
    );
    expect(statesOf(byEvent)).toEqual([undefined, 'delivered']);
  });

  it('resumes at another replica after the last event that its reader has seen', async () => {
    await using account = await startAccount();
    await account.subscribe('/');
    await using _worker = await harness.startWorker();
    const first = await account.open();
    await ready(first);
    await account.share();
    const { data: seen } = await first.waitFor(isIn('delivered'));
    const lastEventId = await until(() => first.lastEventId());
    await first[Symbol.asyncDispose]();
    await account.click();
    const missed = await until(async () => {
      const { body } = await account.call('/api/deliveries/' + seen.id);
      const list = await account.call(`/api/webhooks/${body.webhookId}/deliveries?state=delivered`);
      return list.body.data.find(({ id }: { id: string }) => id !== seen.id);
    });
    await using second = await account.open({ origin: origins[1] ?? '', lastEventId });
    await second.waitFor(({ data }) => data.id === missed.id && data.state === 'delivered');
    expect(second.events.filter(({ type }) => type === 'reset')).toEqual([]);
  });

  it.each(['1-1', 'x', '9'.repeat(40)])(
    'begins with reset when it cannot resume at %s',
    async (id) => {
      await using account = await startAccount();
      await using stream = await account.open({ lastEventId: id });
      await ready(stream);
      expect(stream.events.map(({ type }) => type)).toEqual(['reset', 'ready']);
    },
  );

  it('sends reset when Redis has lost what it knew, and goes on', async () => {
    await using account = await startAccount();
    await account.subscribe('/');
    await using stream = await account.open();
    await ready(stream);
    await harness.redis.del(
      ...(await harness.redis.keys(`${harness.location.queuePrefix}:deliv*`)),
    );
    await stream.waitFor(({ type }) => type === 'reset');
    await using _worker = await harness.startWorker();
    await account.share();
    await stream.waitFor(isIn('delivered'));
  });

  it('ends when its token expires or its session is revoked', async () => {
    await using account = await startAccount();
    const origin = origins[0] ?? '';
    const expiring = await openStream(origin, { token: account.issue(2) });
    await expiring.ended;
    await using revoked = await account.open();
    await ready(revoked);
    harness.revoked.add(account.sessionId);
    await revoked.ended;
    expect((await account.open()).status).toBe(401);
  });

  it('is refused beyond ten of an account', async () => {
    await using account = await startAccount();
    const open = await Promise.all(Array.from({ length: 12 }, () => account.open()));
    expect(open.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(open.filter(({ status }) => status === 429)).toHaveLength(2);
    for (const stream of open) await stream[Symbol.asyncDispose]();
    await until(async () => {
      await using stream = await account.open();
      return stream.status === 200;
    });
  });

  it('is not opened by HEAD requests', async () => {
    await using account = await startAccount();
    const url = `${origins[0]}/api/deliveries/stream`;
    const headers = { authorization: `Bearer ${account.token}` };
    for (let count = 0; count < 10; count += 1) {
      expect((await fetch(url, { method: 'HEAD', headers })).status).toBe(404);
    }
    await using stream = await account.open();
    expect(stream.status).toBe(200);
  });

  it('returns 403 while the email address is not verified', async () => {
    const token = harness.issuer.issueToken({ ev: false });
    await using stream = await openStream(origins[0] ?? '', { token });
    expect(stream.status).toBe(403);
  });

  it('writes nothing to Redis for an account that nobody follows', async () => {
    await using account = await startAccount();
    const webhookId = await account.subscribe('/');
    await using _worker = await harness.startWorker();
    await account.share();
    await until(async () => {
      const { body } = await account.call(`/api/webhooks/${webhookId}/deliveries?state=delivered`);
      return body.data.length === 1;
    });
    expect(await harness.redis.keys(`*changes:${account.accountId}`)).toEqual([]);
  });
});

it('ends its streams when the server closes', async () => {
  await using account = await startAccount();
  const server = await harness.startServer();
  const origin = await server.listen({ port: 0, host: '127.0.0.1' });
  const stream = await openStream(origin, { token: account.token });
  await ready(stream);
  await server.close();
  await stream.ended;
});
