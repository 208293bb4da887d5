import { parseKeyRing } from '@atrium/service-kit/key-ring';
import { afterAll, expect, test } from 'vitest';
import { rotateSigningKey } from '../signing-keys/rotation.ts';
import {
  inputOf,
  makeAccount,
  signIn,
  startTestApp,
  TEST_KEYS,
  type TestAccount,
  valueOf,
} from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEWER_FIREFOX = FIREFOX.replaceAll('140.0', '141.0');
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) ' +
  'Chrome/140.0.0.0 Safari/537.36';

const eventsOf = (account: { id: string }) =>
  app.db.query<{ id: string; event: string; data: Record<string, unknown>; request_id: string }>(
    'SELECT id, event, data, request_id FROM outbox WHERE account_id = $1 ORDER BY seq',
    [account.id],
  );

async function firstLogin(username: string): Promise<TestAccount> {
  const input = inputOf(username);
  await app.call('POST', '/auth/register', { body: input });
  return signIn(app, input, { headers: { 'user-agent': FIREFOX } });
}

test('the first login of an account and a known device are not suspicious', async () => {
  const account = await firstLogin('regular');
  for (const userAgent of [FIREFOX, NEWER_FIREFOX]) {
    const cookies = { device: account.device };
    await signIn(app, account, { cookies, headers: { 'user-agent': userAgent } });
  }
  expect(await eventsOf(account)).toEqual([]);
});

test('an unknown device writes one event and one email', async () => {
  const account = await firstLogin('suspicious');
  const wakesBefore = app.relayWakes();
  const other = await signIn(app, account, {
    headers: { 'user-agent': CHROME, 'x-request-id': 'req-1' },
  });
  expect(await eventsOf(account)).toEqual([
    {
      id: expect.stringMatching(/^evt_[0-9a-hjkmnp-tv-z]{26}$/),
      event: 'auth.suspicious_login',
      data: {
        userId: account.id,
        sessionId: expect.stringMatching(/^ses_[0-9a-hjkmnp-tv-z]{26}$/),
        browser: 'Chrome',
        os: 'Windows',
        ipAddress: '127.0.0.1',
        loggedInAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
      request_id: 'req-1',
    },
  ]);
  expect(app.relayWakes()).toBe(wakesBefore + 1);
  const mail = await app.mailbox.waitFor((one) => one.subject === 'New login to your account');
  expect(mail.to).toEqual([account.email]);
  expect(mail.text).toContain('Chrome on Windows');

  const cookies = { device: other.device };
  await signIn(app, account, { cookies, headers: { 'user-agent': CHROME } });
  expect(await eventsOf(account)).toHaveLength(1);
});

test('a cookie in another browser and a forged cookie are unknown devices', async () => {
  const account = await firstLogin('carried');
  await signIn(app, account, {
    cookies: { device: account.device },
    headers: { 'user-agent': CHROME },
  });
  const forged = `${account.device.split('.')[0]}.${'A'.repeat(43)}`;
  await signIn(app, account, { cookies: { device: forged }, headers: { 'user-agent': FIREFOX } });
  expect(await eventsOf(account)).toHaveLength(2);
});

test('one of several parallel first logins counts as the first', async () => {
  const input = inputOf('atonce');
  await app.call('POST', '/auth/register', { body: input });
  const logins = await Promise.all(Array.from({ length: 5 }, () => signIn(app, input)));
  expect(await eventsOf({ id: logins[0]?.id ?? '' })).toHaveLength(4);
});

test('a client without a user agent can log in', async () => {
  const account = await makeAccount(app, 'headless');
  await signIn(app, account, { headers: { 'user-agent': '' } });
  const [event] = await eventsOf(account);
  expect(event?.data).toMatchObject({ browser: 'Unknown browser', os: 'unknown system' });
});

test('an update of an unrecognised client is the same device', async () => {
  const account = await makeAccount(app, 'updated');
  const userAgent = (version: string) => `MyApp/${version} CFNetwork/1408.0.4 Darwin/22.5.0`;
  const { device } = await signIn(app, account, { headers: { 'user-agent': userAgent('1.2.3') } });
  await signIn(app, account, {
    cookies: { device },
    headers: { 'user-agent': userAgent('1.2.4') },
  });
  const events = await eventsOf(account);
  expect(events.map((event) => event.data['browser'])).toEqual(['MyApp']);
});

test('a device that refreshed its session while SECRETS_KEYS changed is still known', async () => {
  const account = await firstLogin('keptdevice');
  const newKey = `k2:${Buffer.alloc(32, 8).toString('base64')}`;
  const keys = [newKey, TEST_KEYS];
  await using during = await startTestApp({ SECRETS_KEYS: keys.join() }, { db: app.db });
  await rotateSigningKey({
    database: app.db,
    keyRing: parseKeyRing(keys),
    accessTokenTtlSeconds: 900,
    nowMs: Date.now(),
    atOnce: true,
  });
  const { device, refreshToken } = account;
  const refreshed = await during.call('POST', '/auth/refresh', {
    cookies: { device, refreshToken },
  });
  expect(refreshed.status).toBe(200);

  await using after = await startTestApp({ SECRETS_KEYS: newKey }, { db: app.db });
  const cookies = { device: valueOf(refreshed.cookies['device']) };
  await signIn(after, account, { cookies, headers: { 'user-agent': FIREFOX } });
  expect(await eventsOf(account)).toEqual([]);
});
