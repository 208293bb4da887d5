import { withClient } from '@atrium/testkit/connection';
import { tablesMentioning } from '@atrium/testkit/mentions';
import { startReceiver } from '@atrium/testkit/receiver';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { CHROME_ON_LINUX, createPerson, PASSWORD, type Person } from '../../accounts.ts';
import { call, text } from '../../client.ts';
import { atrium } from './platform.ts';

const { auth, notes, links, webhooks } = atrium.urls;

const DATABASES = ['auth', 'notes', 'links', 'webhooks'];

/** The tables of all databases in which a row contains one of these texts, such as `notes.workspaces`. */
async function whereMentioned(texts: string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of DATABASES) {
    const url = new URL(atrium.platform.databaseServerUrl);
    url.pathname = `/atrium_${name}`;
    const tables = await withClient(url.href, (client) =>
      tablesMentioning(
        {
          query: async <Row extends object>(sql: string, values?: unknown[]) =>
            (await client.query<Row>(sql, values)).rows,
        },
        texts,
      ),
    );
    found.push(...tables.map((table) => `${name}.${table}`));
  }
  return found;
}

/** Creates data in every service. */
async function useEverything({ accessToken: token }: Person, receiverUrl: string) {
  const subscribed = await call('POST', `${webhooks}/api/webhooks`, {
    token,
    body: { url: receiverUrl, events: ['go.click', 'note.shared'] },
  });
  const workspace = await call('POST', `${notes}/api/workspaces`, {
    token,
    body: { name: 'Letters', description: '' },
  });
  const workspaceId = text(workspace.body, 'id');
  const note = await call('POST', `${notes}/api/workspaces/${workspaceId}/notes`, {
    token,
    body: { title: 'To Charles', content: 'Hello' },
  });
  const shared = await call('POST', `${notes}/api/notes/${text(note.body, 'id')}/share`, { token });
  const link = await call('POST', `${links}/api/links`, {
    token,
    body: { url: 'https://example.com/engine' },
  });
  const shortUrl = text(link.body, 'shortUrl');
  await call('GET', shortUrl, { headers: { 'user-agent': CHROME_ON_LINUX } });
  return { webhookId: text(subscribed.body, 'id'), sharedUrl: text(shared.body, 'url'), shortUrl };
}

test('an export of all services is one download, linked in an email', async () => {
  await using receiver = await startReceiver();
  const person = await createPerson(auth, atrium.mailbox, 'exporting');
  const other = await createPerson(auth, atrium.mailbox, 'curious');
  const { webhookId } = await useEverything(person, receiver.url);
  await receiver.waitFor(2);

  const asked = await call('POST', `${auth}/user/export`, { token: person.accessToken });
  expect(asked.status).toBe(202);
  const mail = await atrium.mailbox.waitFor(
    (message) => message.to.includes(person.email) && message.text.includes('/export/'),
  );
  const token = /\/export\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
  const url = `${auth}/user/export/${token}`;
  const download = await call('GET', url, { token: person.accessToken });
  expect(download.body).toMatchObject({
    auth: { account: [{ id: person.id, username: person.username }] },
    notes: {
      workspaces: [{ name: 'Letters' }],
      notes: [{ title: 'To Charles', content: 'Hello' }],
    },
    links: { links: [{ url: 'https://example.com/engine' }] },
    webhooks: { webhooks: [{ id: webhookId }] },
  });
  expect((await call('GET', url, { token: other.accessToken })).status).toBe(404);
  expect((await call('GET', url)).status).toBe(401);
});

test('security 31: deleting an account erases its rows in all services', async () => {
  await using receiver = await startReceiver();
  const person = await createPerson(auth, atrium.mailbox, 'leaving');
  const { webhookId, sharedUrl, shortUrl } = await useEverything(person, receiver.url);
  await receiver.waitFor(2);
  const { accessToken: token } = person;
  const itsOwn = [person.id, person.email, webhookId];
  expect(await whereMentioned(itsOwn)).toEqual(
    expect.arrayContaining([
      'auth.accounts',
      'notes.workspaces',
      'links.links',
      'webhooks.subscriptions',
      'webhooks.events',
    ]),
  );

  const wrong = await call('DELETE', `${auth}/user/me`, { token, body: { password: 'no' } });
  expect(wrong.status).toBe(401);
  const deleted = await call('DELETE', `${auth}/user/me`, { token, body: { password: PASSWORD } });
  expect(deleted.status).toBe(202);

  await until(async () => (await whereMentioned(itsOwn)).length === 0, {
    intervalMs: 200,
  });
  const headers = { accept: 'application/json' };
  expect((await call('GET', sharedUrl, { headers })).status).toBe(404);
  await until(async () => (await call('GET', shortUrl)).status === 404);
  const login = { email: person.email, password: PASSWORD };
  expect((await call('POST', `${auth}/auth/login`, { body: login })).status).toBe(401);
  await until(async () => (await call('GET', `${notes}/api/workspaces`, { token })).status === 401);
  expect((await call('POST', `${auth}/auth/refresh`)).status).toBe(401);
});

test('a service that was stopped erases the account after its restart', async () => {
  await using receiver = await startReceiver();
  const person = await createPerson(auth, atrium.mailbox, 'leaving-early');
  await useEverything(person, receiver.url);
  await receiver.waitFor(2);
  await atrium.platform.process('notes').kill('SIGKILL');
  const { accessToken: token } = person;
  const deleted = await call('DELETE', `${auth}/user/me`, { token, body: { password: PASSWORD } });
  expect(deleted.status).toBe(202);
  const places = () => whereMentioned([person.id]);
  await until(async () => (await places()).every((place) => place.startsWith('notes.')), {
    intervalMs: 200,
  });
  expect(await places()).toContain('notes.workspaces');
  await atrium.platform.process('notes').restart();
  await until(async () => (await places()).length === 0, { intervalMs: 200 });
});
