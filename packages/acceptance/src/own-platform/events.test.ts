import { createHmac } from 'node:crypto';
import { startReceiver, type ReceivedRequest } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROME_ON_LINUX, createPerson, PASSWORD, type Person } from '../accounts.ts';
import { startAtrium } from '../atrium.ts';
import { call, text } from '../client.ts';

const atrium = await startAtrium();
afterAll(() => atrium[Symbol.asyncDispose]());
const { auth, notes, links, webhooks } = atrium.urls;

let ada: Person;
beforeAll(async () => {
  ada = await createPerson(auth, atrium.mailbox, 'ada');
});

async function subscribe(url: string, events: string[]): Promise<{ id: string; secret: string }> {
  const response = await call('POST', `${webhooks}/api/webhooks`, {
    token: ada.accessToken,
    body: { url, events },
  });
  expect(response.status).toBe(201);
  return { id: text(response.body, 'id'), secret: text(response.body, 'secret') };
}

async function shareNote(): Promise<string> {
  const token = ada.accessToken;
  const existing = await call('GET', `${notes}/api/workspaces`, { token });
  const [workspace] = existing.body['data'] as { id: string }[];
  const workspaceId =
    workspace?.id ??
    text(
      (
        await call('POST', `${notes}/api/workspaces`, {
          token,
          body: { name: 'Shared', description: '' },
        })
      ).body,
      'id',
    );
  const note = await call('POST', `${notes}/api/workspaces/${workspaceId}/notes`, {
    token,
    body: { title: 'For all', content: 'Hello' },
  });
  const noteId = text(note.body, 'id');
  const shared = await call('POST', `${notes}/api/notes/${noteId}/share`, { token });
  expect(shared.status).toBe(200);
  const read = await call('GET', text(shared.body, 'url'), {
    headers: { accept: 'application/json' },
  });
  expect(read.body).toMatchObject({ title: 'For all' });
  return noteId;
}

async function clickLink(): Promise<string> {
  const made = await call('POST', `${links}/api/links`, {
    token: ada.accessToken,
    body: { url: 'https://example.com/autumn' },
  });
  expect(made.status).toBe(201);
  const click = await call('GET', text(made.body, 'shortUrl'), {
    headers: { 'user-agent': CHROME_ON_LINUX },
  });
  expect([click.status, click.headers.get('location')]).toEqual([
    302,
    'https://example.com/autumn',
  ]);
  return text(made.body, 'id');
}

async function logInFromElsewhere(): Promise<void> {
  const response = await call('POST', `${auth}/auth/login`, {
    body: { email: ada.email, password: PASSWORD },
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' },
  });
  expect(response.status).toBe(200);
}

/** As the interface describes it. */
function expectAuthentic(request: ReceivedRequest, secret: string, event: string): unknown {
  const signature = createHmac('sha256', secret).update(request.rawBody).digest('hex');
  expect(request.headers['service-signature']).toBe(signature);
  expect(request.headers['service-event']).toBe(event);
  const body = JSON.parse(request.rawBody.toString()) as Record<string, unknown>;
  expect(body['event']).toBe(event);
  return body['data'];
}

describe('an event reaches its receiver', () => {
  const cases: [string, () => Promise<unknown>][] = [
    ['note.shared', shareNote],
    ['go.click', clickLink],
    ['auth.suspicious_login', logInFromElsewhere],
  ];
  test.each(cases)('%s', async (event, trigger) => {
    await using receiver = await startReceiver();
    const { secret } = await subscribe(receiver.url, [event]);
    await trigger();
    const [request] = await receiver.waitFor(1);
    if (request === undefined) throw new Error('nothing was delivered');
    expect(expectAuthentic(request, secret, event)).toEqual(expect.any(Object));
  });

  test.each(cases)('%s, when the worker starts only afterwards', async (event, trigger) => {
    await using receiver = await startReceiver();
    const { secret } = await subscribe(receiver.url, [event]);
    await atrium.platform.process('worker').kill('SIGTERM');
    await trigger();
    expect(receiver.requests).toHaveLength(0);
    await atrium.platform.process('worker').restart();
    const [request] = await receiver.waitFor(1);
    if (request === undefined) throw new Error('nothing was delivered');
    expectAuthentic(request, secret, event);
  });
});

describe('failing deliveries', () => {
  test('are attempted five times with the same body, and not a sixth time', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 500 }) });
    const { id } = await subscribe(receiver.url, ['note.shared']);
    await shareNote();
    const requests = await receiver.waitFor(5);
    expect(new Set(requests.map((request) => request.rawBody.toString())).size).toBe(1);

    const list = () =>
      call('GET', `${webhooks}/api/webhooks/${id}/deliveries`, { token: ada.accessToken });
    const delivery = await until(async () => {
      const [first] = (await list()).body['data'] as { id: string; state: string }[];
      return first?.state === 'exhausted' ? first : undefined;
    });
    await call('POST', `${webhooks}/api/internal/webhooks/process`, {
      headers: { 'x-cron-secret': atrium.cronSecret },
    });
    const detail = await call('GET', `${webhooks}/api/deliveries/${delivery.id}`, {
      token: ada.accessToken,
    });
    expect(detail.body['attempts']).toHaveLength(5);
    expect(detail.body).toMatchObject({ state: 'exhausted', nextAttemptAt: null });
    expect(receiver.requests).toHaveLength(5);
  });
});

describe('the webhook endpoints', () => {
  test('the process endpoint requires its secret', async () => {
    const url = `${webhooks}/api/internal/webhooks/process`;
    for (const headers of [{}, { 'x-cron-secret': 'wrong' }]) {
      expect((await call('POST', url, { headers })).status).toBe(401);
    }
    const response = await call('POST', url, { headers: { 'x-cron-secret': atrium.cronSecret } });
    expect([response.status, response.body]).toEqual([202, { enqueued: expect.any(Number) }]);
  });

  test('the secret is returned only once', async () => {
    const { id } = await subscribe('http://127.0.0.1:9/hook', ['go.click']);
    const read = await call('GET', `${webhooks}/api/webhooks/${id}`, { token: ada.accessToken });
    expect(read.status).toBe(200);
    expect(read.body).not.toHaveProperty('secret');
  });

  test('an unknown event is a 422, a missing url a 400', async () => {
    const url = `${webhooks}/api/webhooks`;
    const token = ada.accessToken;
    const unknown = await call('POST', url, {
      token,
      body: { url: 'https://example.com', events: ['no.such'] },
    });
    expect([unknown.status, unknown.body['error']]).toEqual([422, 'Validation Error']);
    const missing = await call('POST', url, { token, body: { events: ['go.click'] } });
    expect([missing.status, missing.body['error']]).toEqual([400, 'Bad Request']);
  });

  test('a missing link is a 404', async () => {
    const response = await call('GET', `${links}/api/links/nope`, { token: ada.accessToken });
    expect(response.status).toBe(404);
    expect(response.body).toEqual({ error: 'Not Found', message: 'Link not found' });
  });
});
