import { makeApplication } from '../../oauth/oauth.fixture.ts';
import type { ExportPartData, Message } from '@atrium/contracts/account-messages';
import { type Collection, sendExport } from '@atrium/service-kit/account-data';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, signIn, startTestApp, type TestApp } from '../../test-app.ts';
import { purgeExportParts, purgeExports } from './store.ts';

const WEEK_MS = 604_800_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function verifiedAccount(username: string) {
  const account = await makeAccount(app, username);
  await app.db.query('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [account.id]);
  return signIn(app, account);
}

/** Takes messages of this kind from the outbox, as a relay does. */
async function carry<Kind extends Message['kind']>(accountId: string, kind: Kind) {
  return app.db.query<{
    id: string;
    queue: string;
    data: Extract<Message, { kind: Kind }>['data'];
  }>(`DELETE FROM outbox WHERE account_id = $1 AND event = $2 RETURNING id, queue, data`, [
    accountId,
    kind,
  ]);
}

async function* pageOf(records: object[]) {
  yield records;
}

/** What the other services send, including a first run that was interrupted. */
async function sendParts(exportId: string, accountId: string): Promise<void> {
  const request = { exportId, accountId };
  const origin = { job: 'test' };
  const long = 'x'.repeat(400_000);
  await sendExport(app.db, request, origin, 'notes', [
    ['notes', pageOf([{ text: `old ${long}` }])],
  ]);
  await app.db.query(`DELETE FROM outbox WHERE account_id = $1 AND data ->> 'number' = '1'`, [
    accountId,
  ]);
  const collections: Record<'notes' | 'links' | 'webhooks', Collection[]> = {
    notes: [['notes', pageOf([{ text: long }])]],
    links: [['links', pageOf([{ slug: 'launch' }])]],
    webhooks: [['webhooks', pageOf([])]],
  };
  await sendExport(app.db, request, origin, 'notes', collections.notes);
  await sendExport(app.db, request, origin, 'links', collections.links);
  await sendExport(app.db, request, origin, 'webhooks', collections.webhooks);
}

const envelope = (accountId: string) => ({ accountId, createdAt: new Date().toISOString() });

async function makeExport(accountId: string): Promise<void> {
  const [first, ...rest] = await carry(accountId, 'export.requested');
  if (first === undefined) throw new Error('no export was requested');
  expect([first, ...rest].map(({ queue }) => queue).toSorted()).toEqual([
    'inbox-auth',
    'inbox-links',
    'inbox-notes',
    'inbox-webhooks',
  ]);
  const { id, data } = first;
  await app.receive({ ...envelope(accountId), id, kind: 'export.requested', data });
  await sendParts(data.exportId, accountId);
  const parts = await carry(accountId, 'export.part');
  const messages = parts.map(({ id, data }) => ({
    ...envelope(accountId),
    id,
    kind: 'export.part' as const,
    data: data satisfies ExportPartData,
  }));
  const interruptedRun = messages.find(({ data }) => data.text.includes('old'))?.data.run;
  for (const message of messages)
    if (message.data.run === interruptedRun) await app.receive(message);
  // In reverse order, some of them twice, several at once.
  const twice = messages.flatMap((message, index) =>
    index % 2 === 0 ? [message, message] : [message],
  );
  await Promise.all(twice.toReversed().map((message) => app.receive(message)));
}

async function download(token: string, exportToken: string) {
  const headers = { authorization: `Bearer ${token}` };
  return app.server.inject({ url: `/user/export/${exportToken}`, headers });
}

async function emailedToken(email: string): Promise<string> {
  const mail = await app.mailbox.waitFor(
    ({ to, text }) => to.includes(email) && text.includes('/export/'),
  );
  expect(mail.text).toContain('https://web.example/export/');
  return /\/export\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
}

test('parts in any order and repeated become one document that only the owner can download', async () => {
  const ada = await verifiedAccount('export-ada');
  const eve = await verifiedAccount('export-eve');
  expect((await app.call('POST', '/user/export', { token: ada.accessToken })).status).toBe(202);
  const { id: applicationId } = await makeApplication(app, ada.accessToken);
  await makeExport(ada.id);
  const exportToken = await emailedToken(ada.email);

  const answer = await download(ada.accessToken, exportToken);
  expect(answer.statusCode).toBe(200);
  expect(answer.headers['content-disposition']).toContain('attachment');
  expect(answer.headers['cache-control']).toBe('no-store');
  const document = answer.json();
  expect(document).toMatchObject({
    accountId: ada.id,
    auth: {
      account: [{ id: ada.id, email: ada.email, birthdate: '1990-12-10' }],
      applications: [{ id: applicationId, name: 'Reading list' }],
      allowedApplications: [],
    },
    notes: { notes: [{ text: 'x'.repeat(400_000) }] },
    links: { links: [{ slug: 'launch' }] },
    webhooks: { webhooks: [] },
  });
  expect(document.auth.sessions.length).toBeGreaterThan(0);
  expect(answer.body).not.toContain('argon2');

  expect((await download(eve.accessToken, exportToken)).statusCode).toBe(404);
  expect((await download(ada.accessToken, `${exportToken}x`)).statusCode).toBe(404);
  expect((await app.call('GET', `/user/export/${exportToken}`)).status).toBe(401);

  const stored = await app.db.query<{ content: string }>(
    'SELECT content FROM account_export_parts',
  );
  expect(stored.some(({ content }) => content.includes(ada.email))).toBe(false);
  app.mailbox.messages.length = 0;
});

test('shows how far the newest export is', async () => {
  const { id, accessToken: token } = await verifiedAccount('watches-export');
  const state = async () => (await app.call('GET', '/user/export', { token })).body;
  const none = { status: 'none', requestedAt: null, expiresAt: null, servicesReady: 0 };
  expect(await state()).toEqual({ ...none, servicesTotal: 4 });
  await app.call('POST', '/user/export', { token });
  const requestedAt = expect.stringMatching(/^\d{4}-/);
  const preparing = { status: 'preparing', requestedAt, expiresAt: null, servicesTotal: 4 };
  expect(await state()).toEqual({ ...preparing, servicesReady: 0 });
  app.clock.advanceMs = 86_400_000 + 1000;
  const late = await app.call('GET', '/user/export', { token: await freshToken() });
  app.clock.advanceMs = 0;
  expect(late.body).toMatchObject({ status: 'failed' });
  await makeExport(id);
  expect(await state()).toMatchObject({ status: 'ready', requestedAt, servicesReady: 4 });
  expect(Date.parse(String((await state())['expiresAt'])) - Date.now()).toBeGreaterThan(
    WEEK_MS / 2,
  );

  async function freshToken() {
    return (await signIn(app, { username: 'watches-export', email: 'watches-export@example.com' }))
      .accessToken;
  }
});

test('an expired export cannot be downloaded and is purged', async () => {
  const ada = await verifiedAccount('export-old');
  await app.call('POST', '/user/export', { token: ada.accessToken });
  await makeExport(ada.id);
  const exportToken = await emailedToken(ada.email);
  const later = new Date(Date.now() + WEEK_MS + 60_000);
  expect(await purgeExportParts(app.db, new Date(), 100)).toBe(0);
  await app.db.query(
    `UPDATE account_exports SET expires_at = now() - interval '1 s' WHERE account_id = $1`,
    [ada.id],
  );
  expect((await download(ada.accessToken, exportToken)).statusCode).toBe(404);
  while ((await purgeExportParts(app.db, later, 2)) > 0);
  await purgeExports(app.db, later, 100);
  expect(await app.db.query('SELECT 1 FROM account_exports')).toEqual([]);
});

test('a new export ends the older ones, which are purged', async () => {
  const ada = await verifiedAccount('export-again');
  const makeLink = async () => {
    app.mailbox.messages.length = 0;
    await app.call('POST', '/user/export', { token: ada.accessToken });
    await makeExport(ada.id);
    return emailedToken(ada.email);
  };
  const status = async (link: string) => (await download(ada.accessToken, link)).statusCode;
  const first = await makeLink();
  expect(await status(first)).toBe(200);
  const second = await makeLink();
  expect([await status(first), await status(second)]).toEqual([404, 200]);
  await app.runJob('purge');
  const left = await app.db.query<{ exports: number }>(
    `SELECT count(DISTINCT export_id)::int AS exports FROM account_export_parts
     WHERE export_id IN (SELECT id FROM account_exports WHERE account_id = $1)`,
    [ada.id],
  );
  expect([left, await status(second)]).toEqual([[{ exports: 1 }], 200]);
});

test.each([0, 1])('a download that lacks part %i is cut off', async (number) => {
  const ada = await verifiedAccount(`export-cut-${number}`);
  await app.call('POST', '/user/export', { token: ada.accessToken });
  await makeExport(ada.id);
  const exportToken = await emailedToken(ada.email);
  // As the purge does during a download, once the owner has requested another export.
  await app.db.query(
    `DELETE FROM account_export_parts WHERE service = 'notes' AND number = $2
     AND export_id IN (SELECT id FROM account_exports WHERE account_id = $1)`,
    [ada.id, number],
  );
  await expect(download(ada.accessToken, exportToken)).rejects.toThrow('destroyed');
});

test('parts of an export that a newer one has ended are dropped', async () => {
  const ada = await verifiedAccount('export-late');
  const ask = () => app.call('POST', '/user/export', { token: ada.accessToken });
  await ask();
  const [late] = await carry(ada.id, 'export.requested');
  await app.db.query(
    `UPDATE account_exports SET requested_at = now() - interval '2 days' WHERE account_id = $1`,
    [ada.id],
  );
  await ask();
  const exportId = late?.data.exportId ?? '';
  await sendParts(exportId, ada.id);
  for (const { id, data } of await carry(ada.id, 'export.part')) {
    await app.receive({ ...envelope(ada.id), id, kind: 'export.part', data });
  }
  const parts = 'SELECT 1 FROM account_export_parts WHERE export_id = $1';
  expect(await app.db.query(parts, [exportId])).toEqual([]);
});

test('an export needs a verified address, and parallel requests start one export', async () => {
  const eve = await makeAccount(app, 'export-unverified');
  expect((await app.call('POST', '/user/export', { token: eve.accessToken })).status).toBe(403);
  const ada = await verifiedAccount('export-twice');
  const ask = () => app.call('POST', '/user/export', { token: ada.accessToken });
  const answers = await Promise.all([ask(), ask(), ask()]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await carry(ada.id, 'export.requested')).toHaveLength(4);
});
