import { INBOX } from '@atrium/contracts/queues';
import { tablesMentioning } from '@atrium/testkit/mentions';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAccount, PASSWORD, signIn, startTestApp, type TestApp } from '../../test-app.ts';

const DAY_MS = 86_400_000;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

/** Runs the erasure, so many times at once, this many days ahead. */
async function eraseAfter(days: number, times = 1): Promise<void> {
  app.clock.advanceMs = days * DAY_MS;
  await Promise.all(Array.from({ length: times }, () => app.runJob('erase-accounts')));
  app.clock.advanceMs = 0;
}

function remove(token: string, password: string = PASSWORD) {
  return app.call('DELETE', '/user/me', { token, body: { password } });
}

/** A row in each table of the OpenID Connect provider that stays until the account is erased. */
async function keepOauthRows(accountId: string): Promise<void> {
  await app.db.query(
    `WITH application AS (
       INSERT INTO applications (id, account_id, name, kind, redirect_urls, post_logout_urls, scopes, created_at,
                                 updated_at)
       VALUES ('app_1', $1, 'Reading list', 'web', '{}', '{}', '{}', now(), now())
     ), logout AS (
       INSERT INTO oauth_logouts (sid, application_id, account_id, due_at) VALUES ('gnt_1', 'app_1', $1, now())
     )
     INSERT INTO oauth_records (model, id_hash, account_id, payload, expires_at)
     VALUES ('Interaction', sha256('1'), $1, jsonb_build_object('accountId', $1::text), now() + interval '1 year')`,
    [accountId],
  );
}

async function messagesAbout(accountId: string) {
  return app.db.query<{ queue: string; isDelayed: boolean }>(
    `SELECT queue, due_at > now() + interval '15 minutes' AS "isDelayed" FROM outbox
     WHERE account_id = $1 AND event = 'account.deleted' ORDER BY queue, seq`,
    [accountId],
  );
}

test('security 31: a deleted account is erased after the grace period, in every service', async () => {
  const ada = await makeAccount(app, 'deleted-ada');
  const bystander = await makeAccount(app, 'deleted-bystander');
  await signIn(app, ada, { headers: { 'user-agent': 'Mozilla/5.0 Firefox/140.0' } });
  await app.call('POST', '/auth/forgot-password', { body: { email: ada.email } });
  await keepOauthRows(ada.id);
  expect((await remove(ada.accessToken)).status).toBe(202);
  await signIn(app, ada);

  await eraseAfter(13.9);
  expect(await tablesMentioning(app.db, [ada.id])).toContain('accounts');
  await eraseAfter(14.1);

  expect(await tablesMentioning(app.db, [ada.id, ada.email, ada.username])).toEqual([]);
  expect((await messagesAbout(ada.id)).map(({ queue, isDelayed }) => [queue, isDelayed])).toEqual(
    [INBOX.links, INBOX.notes, INBOX.webhooks].flatMap((queue) => [
      [queue, null],
      [queue, true],
    ]),
  );
  const login = { email: ada.email, password: PASSWORD };
  expect((await app.call('POST', '/auth/login', { body: login })).status).toBe(401);
  expect((await app.call('GET', '/user/me', { token: bystander.accessToken })).status).toBe(200);
});

test('a deletion asks for the password, ends every session and notifies the owner', async () => {
  const ada = await makeAccount(app, 'ends-sessions');
  const other = await signIn(app, ada);
  expect((await remove(ada.accessToken, 'not the password')).status).toBe(401);
  const answer = await remove(ada.accessToken);
  expect(answer.status).toBe(202);
  const erasesAt = Date.parse(String(answer.body['erasesAt']));
  expect(Math.abs(erasesAt - Date.now() - 14 * DAY_MS)).toBeLessThan(60_000);
  expect(answer.cookies['refreshToken']).toContain('refreshToken=;');
  for (const { accessToken: token, refreshToken } of [ada, other]) {
    expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
    const cookies = { refreshToken };
    expect((await app.call('POST', '/auth/refresh', { cookies })).status).toBe(401);
  }
  const mail = await app.mailbox.waitFor(
    ({ to, subject }) => to.includes(ada.email) && subject === 'Your account will be deleted',
  );
  const dateStyle = 'long';
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle, timeZone: 'UTC' }).format(erasesAt);
  expect(mail.text).toContain(`Will be erased on: ${day}`);
});

test('within the grace period a login shows the date, and the owner can restore the account', async () => {
  const ada = await makeAccount(app, 'keeps-account');
  const { erasesAt } = (await remove(ada.accessToken)).body;
  const login = { email: ada.email, password: PASSWORD };
  const answer = await app.call('POST', '/auth/login', { body: login });
  expect(answer.body['erasesAt']).toBe(erasesAt);
  const token = String(answer.body['accessToken']);
  expect((await app.call('GET', '/user/me/deletion', { token })).body).toEqual({ erasesAt });

  expect((await app.call('POST', '/user/me/restore', { token })).status).toBe(200);
  expect((await app.call('GET', '/user/me/deletion', { token })).body).toEqual({ erasesAt: null });
  expect((await app.call('POST', '/user/me/restore', { token })).status).toBe(409);
  await eraseAfter(15);
  expect((await app.call('POST', '/auth/login', { body: login })).body['erasesAt']).toBeUndefined();
});

test('the owner is notified of the erasure, and the address is deleted after that', async () => {
  const ada = await makeAccount(app, 'notified');
  await app.db.query('UPDATE accounts SET name = $2 WHERE id = $1', [ada.id, 'Countess of Tests']);
  await remove(ada.accessToken);
  await eraseAfter(13.9);
  const isLast = ({ to, subject }: { to: string[]; subject: string }) =>
    to.includes(ada.email) && subject === 'Your account has been erased';
  await eraseAfter(15);
  const mail = await app.mailbox.waitFor(isLast);
  expect(mail.text).toContain('Your account has been erased');
  const waiting = () => app.db.query('SELECT 1 FROM email_messages WHERE content IS NOT NULL');
  await until(async () => (await waiting()).length === 0);
  expect(await tablesMentioning(app.db, [ada.id, ada.email, 'Countess of Tests'])).toEqual([]);
  await eraseAfter(15);
  expect(app.mailbox.messages.filter(isLast)).toHaveLength(1);
});

test('revoking suspicious access cancels the deletion', async () => {
  const ada = await makeAccount(app, 'not-me');
  await remove(ada.accessToken);
  const mail = await app.mailbox.waitFor(
    ({ to, subject }) => to.includes(ada.email) && subject === 'Your account will be deleted',
  );
  const token = /\/not-me\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
  expect((await app.call('POST', `/auth/not-me/${token}`)).status).toBe(200);
  await eraseAfter(15);
  expect(await tablesMentioning(app.db, [ada.id])).toContain('accounts');
});

test('another request does not postpone the erasure', async () => {
  const ada = await makeAccount(app, 'asks-twice');
  const { erasesAt } = (await remove(ada.accessToken)).body;
  const { accessToken } = await signIn(app, ada);
  expect((await remove(accessToken)).body['erasesAt']).toBe(erasesAt);
});

test('several processes erase an account with many rows once', async () => {
  const ada = await makeAccount(app, 'many-rows');
  await app.db.query(
    `INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address, expires_at,
                           access_expires_at)
     SELECT 'ses_' || n, $1, sha256('device'), 'Firefox', 'Linux', '192.0.2.1', now(), now()
     FROM generate_series(1, 1200) AS n`,
    [ada.id],
  );
  await remove(ada.accessToken);
  await eraseAfter(15, 2);
  expect(await tablesMentioning(app.db, [ada.id])).toEqual([]);
  expect(await messagesAbout(ada.id)).toHaveLength(6);
});
