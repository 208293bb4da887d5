import { until } from '@atrium/testkit/until';
import { afterAll, expect, test } from 'vitest';
import { inputOf, signIn, startTestApp, type TestAccount } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const FIREFOX = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0' };
const CHROME = {
  'user-agent':
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
    'Chrome/140.0.0.0 Safari/537.36',
};

async function register(username: string): Promise<TestAccount> {
  const input = inputOf(username);
  await app.call('POST', '/auth/register', { body: input });
  return signIn(app, input, { headers: FIREFOX });
}

/** How many events and mails the account's logins made, once every mail is out. */
async function made({ id, email }: TestAccount): Promise<{ events: number; mails: number }> {
  await until(async () => {
    const waiting = await app.db.query('SELECT 1 FROM email_messages WHERE sent_at IS NULL');
    return waiting.length === 0;
  });
  const events = await app.db.query(
    `SELECT 1 FROM outbox WHERE account_id = $1 AND event = 'auth.suspicious_login'`,
    [id],
  );
  const mails = app.mailbox.messages.filter(
    ({ to, subject }) => to.includes(email) && subject === 'New login to your account',
  );
  return { events: events.length, mails: mails.length };
}

test('security 28: the first login of an account writes no event and no email', async () => {
  expect(await made(await register('newcomer'))).toEqual({ events: 0, mails: 0 });
});

test('security 28: an unknown device writes exactly one event and one email', async () => {
  const account = await register('traveller');
  const { device } = await signIn(app, account, { headers: CHROME });
  expect(await made(account)).toEqual({ events: 1, mails: 1 });
  await signIn(app, account, { headers: CHROME, cookies: { device } });
  expect(await made(account)).toEqual({ events: 1, mails: 1 });
});

test('security 28: a known device writes none, however often it logs in', async () => {
  const account = await register('resident');
  const cookies = { device: account.device };
  await Promise.all(
    Array.from({ length: 5 }, () => signIn(app, account, { headers: FIREFOX, cookies })),
  );
  expect(await made(account)).toEqual({ events: 0, mails: 0 });
});

test('security 28: a failed login from an unknown device writes none', async () => {
  const account = await register('attacked');
  const body = { email: account.email, password: 'a wrong password' };
  expect((await app.call('POST', '/auth/login', { body, headers: CHROME })).status).toBe(401);
  expect(await made(account)).toEqual({ events: 0, mails: 0 });
});

test('security 28: logins from unknown devices cannot flood an address with emails', async () => {
  const account = await register('flooder');
  await app.db.query(
    `INSERT INTO account_devices (account_id, fingerprint, browser, os)
     SELECT $1, sha256(n::text::bytea), '', '' FROM generate_series(1, 18) AS n`,
    [account.id],
  );
  for (let n = 0; n < 3; n += 1) await signIn(app, account, { headers: CHROME });
  expect(await made(account)).toEqual({ events: 3, mails: 1 });
  app.clock.advanceMs += 3_600_000;
  await signIn(app, account, { headers: CHROME });
  expect(await made(account)).toEqual({ events: 4, mails: 2 });
});
