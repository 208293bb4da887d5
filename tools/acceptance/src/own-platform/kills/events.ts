import { createHmac } from 'node:crypto';
import type { DeliveryBody, EventName } from '@atrium/contracts/events';
import { databaseUrl } from '@atrium/local-stack/servers';
import { openDatabase } from '@atrium/service-kit/database';
import { startReceiver, type ReceivedRequest } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { beforeAll, describe, expect, test } from 'vitest';
import { CHROME_ON_LINUX, createPerson, PASSWORD, type Person } from '../../accounts.ts';
import { type ApiResponse, call, text } from '../../client.ts';
import { atrium } from './platform.ts';

const { auth, notes, links, webhooks } = atrium.urls;

let ada: Person;
let workspaceUrl: string;
beforeAll(async () => {
  ada = await createPerson(auth, atrium.mailbox, 'ada');
  const { body } = await send('POST', `${notes}/api/workspaces`, { name: 'Shared' });
  workspaceUrl = `${notes}/api/workspaces/${text(body, 'id')}`;
});

/** Sends a request of ada. */
async function send(method: string, url: string, body?: object): Promise<ApiResponse> {
  const headers = { 'if-match': '*' };
  const response = await call(method, url, { token: ada.accessToken, body, headers });
  expect(response.status).toBeLessThan(300);
  return response;
}

/** A subscription that is deleted when its test ends: an account may have only a few. */
async function subscribe(url: string, events: string[]) {
  const { body } = await send('POST', `${webhooks}/api/webhooks`, { url, events });
  const id = text(body, 'id');
  return {
    id,
    secret: text(body, 'secret'),
    async [Symbol.asyncDispose]() {
      await send('DELETE', `${webhooks}/api/webhooks/${id}`);
    },
  };
}

const createNote = () =>
  send('POST', `${workspaceUrl}/notes`, { title: 'For all', content: 'Hello' });

async function newNote(): Promise<string> {
  return `${notes}/api/notes/${text((await createNote()).body, 'id')}`;
}

async function share(note: string): Promise<ApiResponse> {
  const shared = await send('POST', `${note}/share`);
  const headers = { accept: 'application/json' };
  const { body } = await call('GET', text(shared.body, 'url'), { headers });
  expect(body).toMatchObject({ title: 'For all' });
  return shared;
}

async function newLink(): Promise<string> {
  const url = 'https://example.com/autumn';
  return text((await send('POST', `${links}/api/links`, { url })).body, 'shortUrl');
}

async function follow(shortUrl: string): Promise<ApiResponse> {
  const click = await call('GET', shortUrl, { headers: { 'user-agent': CHROME_ON_LINUX } });
  expect([click.status, click.headers.get('location')]).toEqual([
    302,
    'https://example.com/autumn',
  ]);
  return click;
}

async function logInFromElsewhere(): Promise<ApiResponse> {
  const response = await call('POST', `${auth}/auth/login`, {
    body: { email: ada.email, password: PASSWORD },
    headers: { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' },
  });
  expect(response.status).toBe(200);
  return response;
}

/** Invites somebody. @returns the address that accepts the invitation, and the token of the guest */
async function invite(): Promise<{ url: string; token: string }> {
  const guest = await createPerson(auth, atrium.mailbox, 'grace');
  await send('POST', `${workspaceUrl}/invitations`, { email: guest.email, role: 'editor' });
  const link = /\/invitations\/([\w-]+)/;
  const mail = await atrium.mailbox.waitFor(
    (sent) => sent.to.includes(guest.email) && link.test(sent.text),
  );
  const token = link.exec(mail.text)?.[1] ?? '';
  return { url: `${notes}/api/invitations/${token}/accept`, token: guest.accessToken };
}

/** Until the outboxes are empty: a relay that has sent something looks again, woken or not. */
async function untilRelaysWait(): Promise<void> {
  for (const service of ['auth', 'notes', 'links']) {
    await using database = openDatabase({
      url: databaseUrl(atrium.databaseServerUrl, `atrium_${service}`),
      applicationName: 'acceptance',
    });
    await until(async () => (await database.query('SELECT FROM outbox')).length === 0);
  }
}

/** As the interface describes it. */
function expectAuthentic(request: ReceivedRequest, secret: string, event: string): DeliveryBody {
  const signature = createHmac('sha256', secret).update(request.rawBody).digest('hex');
  expect(request.headers['service-signature']).toBe(signature);
  expect(request.headers['service-event']).toBe(event);
  const body: DeliveryBody = JSON.parse(request.rawBody.toString());
  expect(body.event).toBe(event);
  return body;
}

/** Makes what the request needs that causes the event, and returns that request. */
type Prepare = () => Promise<() => Promise<ApiResponse>>;

const causes: { [Name in EventName]: Prepare } = {
  'go.click': async () => {
    const shortUrl = await newLink();
    return () => follow(shortUrl);
  },
  'note.created': async () => createNote,
  'note.updated': async () => {
    const note = await newNote();
    return () => send('PATCH', note, { content: 'Hello again' });
  },
  'note.deleted': async () => {
    const note = await newNote();
    return () => send('DELETE', note);
  },
  'note.shared': async () => {
    const note = await newNote();
    return () => share(note);
  },
  'workspace.member_added': async () => {
    const { url, token } = await invite();
    return () => call('POST', url, { token });
  },
  'auth.suspicious_login': async () => logInFromElsewhere,
};

/** The event of a note that changed comes when its minute is over. */
const WAIT_MS = 80_000;

describe('an event reaches its receiver', () => {
  test.each(Object.entries(causes))(
    '%s, at once and with the id of its request',
    async (event, prepare) => {
      const cause = await prepare();
      await using receiver = await startReceiver();
      await using subscription = await subscribe(receiver.url, [event]);
      await untilRelaysWait();
      const { headers } = await cause();
      const [request] = await receiver.waitFor(1, WAIT_MS);
      if (request === undefined) throw new Error('nothing was delivered');
      const { id, data } = expectAuthentic(request, subscription.secret, event);
      expect(data).toEqual(expect.any(Object));
      const { body } = await send('GET', `${webhooks}/api/events/${id}`);
      expect(body).toMatchObject({ event, requestId: headers.get('x-request-id') });
    },
  );

  test.each([
    ['note.shared', async () => share(await newNote())],
    ['go.click', async () => follow(await newLink())],
    ['auth.suspicious_login', logInFromElsewhere],
  ])('%s, when the worker starts only afterwards', async (event, trigger) => {
    await using receiver = await startReceiver();
    await using subscription = await subscribe(receiver.url, [event]);
    await atrium.platform.process('worker').kill('SIGTERM');
    await trigger();
    expect(receiver.requests).toHaveLength(0);
    await atrium.platform.process('worker').restart();
    const [request] = await receiver.waitFor(1);
    if (request === undefined) throw new Error('nothing was delivered');
    expectAuthentic(request, subscription.secret, event);
  });
});

describe('failing deliveries', () => {
  test('are attempted five times with the same body, and not a sixth time', async () => {
    await using receiver = await startReceiver({ respond: () => ({ status: 500 }) });
    await using subscription = await subscribe(receiver.url, ['note.shared']);
    await share(await newNote());
    const requests = await receiver.waitFor(5);
    expect(new Set(requests.map((request) => request.rawBody.toString())).size).toBe(1);

    const list = () =>
      call('GET', `${webhooks}/api/webhooks/${subscription.id}/deliveries`, {
        token: ada.accessToken,
      });
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
});
