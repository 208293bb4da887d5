import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { text } from 'node:stream/consumers';
import { listen } from '@atrium/testkit/http-listener';
import { createVerifier } from 'fast-jwt';
import * as client from 'openid-client';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { PASSWORD } from '../../test-app.ts';
import {
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
} from '../oauth.fixture.ts';

const network = { WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };
const { app, origin, ...started } = await startOauthApp(network);
const told = new EventEmitter();
const answer: { status: number; headers: Record<string, string> } = { status: 200, headers: {} };
const receiver = await listen((request, response) => {
  void text(request).then((body) => {
    response.writeHead(answer.status, answer.headers).end();
    told.emit('logout', new URLSearchParams(body).get('logout_token'));
  });
});
afterAll(async () => {
  await started[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const owner = await makeVerified(app, 'owner');
const person = await makeVerified(app, 'person');
const AFTER = 'https://rp.example/goodbye';
const made = await makeApplication(app, owner.accessToken, {
  postLogoutUrls: [AFTER],
  backchannelLogoutUrl: receiver.url,
});
const config = await relyingParty(origin, made);
const scope = 'openid account:read';
const statusOf = async (token: string) => (await app.call('GET', '/user/me', { token })).status;
const waiting = () => app.db.query('SELECT attempts FROM oauth_logouts');

beforeEach(() => {
  Object.assign(answer, { status: 200, headers: {} });
});

/** What the application is told, verified as it would. */
async function nextLogout(): Promise<Record<string, unknown>> {
  const [[token]] = await Promise.all([once(told, 'logout'), app.runJob('tell-logouts')]);
  const { keys } = (await (await fetch(`${origin}/.well-known/jwks.json`)).json()) as {
    keys: JsonWebKey[];
  };
  const jwk = keys.find(({ kty }) => kty === 'RSA') ?? {};
  const key = createPublicKey({ format: 'jwk', key: jwk }).export({ type: 'spki', format: 'pem' });
  const verify = createVerifier({
    key: key.toString(),
    algorithms: ['RS256'],
    checkTyp: 'logout+jwt',
  });
  return verify(String(token)) as Record<string, unknown>;
}

test('an application is told when the session of the person ends', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope });
  await browser.post('/auth/logout', undefined);
  const logout = await nextLogout();
  expect(logout).toMatchObject({
    iss: origin,
    aud: made.id,
    sub: person.id,
    sid: tokens.claims()?.['sid'],
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  });
  expect(logout).not.toHaveProperty('nonce');
  expect(await waiting()).toEqual([]);
});

test('and when the person changes the password in another browser', async () => {
  await makeVerified(app, 'changer');
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'changer', { scope });
  const token = await openBrowser(origin).logIn('changer');
  const body = { currentPassword: 'a lantern in the fog', newPassword: 'a kettle on the stove' };
  const changed = await app.call('POST', '/user/change-password', { token, body });
  expect(changed.status).toBe(200);
  expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
  expect(await statusOf(tokens.access_token)).toBe(401);
});

test('and when the person takes back what it may do', async () => {
  const { accessToken: token } = await makeVerified(app, 'revoker');
  const tokens = await logInTo(config, openBrowser(origin), 'revoker', { scope });
  const { body } = await app.call('GET', '/user/grants', { token });
  const [{ id }] = body['data'] as [{ id: string }];
  expect((await app.call('DELETE', `/user/grants/${id}`, { token })).status).toBe(204);
  expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
  expect([await statusOf(tokens.access_token), await waiting()]).toEqual([401, []]);
});

test('and when the account is erased before the application was told', async () => {
  const gone = await makeVerified(app, 'gone');
  const tokens = await logInTo(config, openBrowser(origin), 'gone', { scope });
  const token = gone.accessToken;
  await app.call('DELETE', '/user/me', { token, body: { password: PASSWORD } });
  app.clock.advanceMs = 15 * 86_400_000;
  await app.runJob('erase-accounts');
  expect(await app.db.query('SELECT 1 FROM accounts WHERE id = $1', [gone.id])).toEqual([]);
  expect(await waiting()).toEqual([{ attempts: 0 }]);
  expect(await nextLogout()).toMatchObject({ sub: gone.id, sid: tokens.claims()?.['sid'] });
  app.clock.advanceMs = 0;
  expect(await waiting()).toEqual([]);
});

describe('a login that lasts without a session', () => {
  const offline = { scope: `${scope} offline_access`, prompt: 'consent' };
  const refresh = (tokens: Awaited<ReturnType<typeof logInTo>>) =>
    client.refreshTokenGrant(config, tokens.refresh_token ?? '');

  test.each([
    ['a reset of the password', 'reset-password', { password: 'a kettle on the stove' }],
    ['"This was not me"', 'not-me', undefined],
  ] as const)('ends with %s, and the application is told', async (_name, link, body) => {
    const { email } = await makeVerified(app, `offline-${link}`);
    const tokens = await logInTo(config, openBrowser(origin), `offline-${link}`, offline);
    if (link === 'reset-password') {
      await app.call('POST', '/auth/forgot-password', { body: { email } });
    }
    const used = `/auth/${link}/${await app.emailToken(email, link)}`;
    expect((await app.call('POST', used, body && { body })).status).toBe(200);
    expect(await statusOf(tokens.access_token)).toBe(401);
    expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
    await expect(refresh(tokens)).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('stays when the person changes the password, until it is taken back', async () => {
    await makeVerified(app, 'offline-changer');
    const browser = openBrowser(origin);
    const tokens = await logInTo(config, browser, 'offline-changer', offline);
    const token = await openBrowser(origin).logIn('offline-changer');
    const body = { currentPassword: 'a lantern in the fog', newPassword: 'a kettle on the stove' };
    await app.call('POST', '/user/change-password', { token, body });
    expect((await browser.post('/auth/refresh', undefined)).status).toBe(401);
    expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
    const later = await refresh(tokens);
    expect(await statusOf(later.access_token)).toBe(200);
    const { body: allowed } = await app.call('GET', '/user/grants', { token });
    const [grant] = allowed['data'] as { id: string }[];
    await app.call('DELETE', `/user/grants/${grant?.id}`, { token });
    expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
    await expect(refresh(later)).rejects.toMatchObject({ error: 'invalid_grant' });
  });
});

test.each([
  [500, {}],
  [600, {}],
  [101, {}],
  [101, { connection: 'upgrade', upgrade: 'websocket' }],
])('it is told again later when it answers %i %j', async (status, headers) => {
  const browser = openBrowser(origin);
  await logInTo(config, browser, 'person', { scope });
  await browser.post('/auth/logout', undefined);
  Object.assign(answer, { status, headers });
  await nextLogout();
  expect(await waiting()).toEqual([{ attempts: 1 }]);
  await app.runJob('tell-logouts');
  expect(await waiting()).toEqual([{ attempts: 1 }]);
  Object.assign(answer, { status: 200, headers: {} });
  app.clock.advanceMs = 31_000;
  await nextLogout();
  app.clock.advanceMs = 0;
  expect(await waiting()).toEqual([]);
});

test('security 43: nobody is told in a network that only we can reach', async () => {
  await using guarded = await startOauthApp();
  const maker = await makeVerified(guarded.app, 'maker');
  const inside = await makeApplication(guarded.app, maker.accessToken, {
    backchannelLogoutUrl: receiver.url,
  });
  const browser = openBrowser(guarded.origin);
  const rp = await relyingParty(guarded.origin, inside);
  await logInTo(rp, browser, 'maker');
  let isTold = false;
  told.once('logout', () => {
    isTold = true;
  });
  await browser.post('/auth/logout', undefined);
  await guarded.app.runJob('tell-logouts');
  expect(isTold).toBe(false);
  told.removeAllListeners('logout');
  const left = await guarded.app.db.query('SELECT attempts FROM oauth_logouts');
  expect(left).toEqual([{ attempts: 1 }]);
});

test('an application logs the person out of Atrium, once they agree', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope });
  const url = client.buildEndSessionUrl(config, {
    id_token_hint: tokens.id_token ?? '',
    post_logout_redirect_uri: AFTER,
    state: 'somewhere',
  });
  const page = await browser.send(url, { headers: { 'accept-language': 'de' } });
  const html = await page.text();
  expect(html).toContain('Von Atrium abmelden?');
  expect(html).not.toContain('<script');
  expect(await statusOf(tokens.access_token)).toBe(200);
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
  const confirm = (fields: Record<string, string>) =>
    browser.send(action, { method: 'POST', body: new URLSearchParams(fields) });
  expect((await confirm({ xsrf: 'guessed', logout: 'yes' })).status).toBe(400);
  const done = await confirm({ xsrf, logout: 'yes' });
  expect([done.status, done.headers.get('location')]).toEqual([303, `${AFTER}?state=somewhere`]);
  expect(await statusOf(tokens.access_token)).toBe(401);
  expect((await browser.post('/auth/refresh', undefined)).status).toBe(401);
  expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
  const { body } = await app.call('GET', '/user/audit?kind=logout', {
    token: person.accessToken,
  });
  expect((body['data'] as unknown[]).length).toBeGreaterThan(0);
});

test('a person who stays logged in loses nothing but the tokens of the application', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(config, browser, 'person', { scope });
  const url = client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token ?? '' });
  const html = await (await browser.send(url)).text();
  const [, action = ''] = /action="([^"]+)"/.exec(html) ?? [];
  const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(html) ?? [];
  const done = await browser.send(action, { method: 'POST', body: new URLSearchParams({ xsrf }) });
  expect(done.headers.get('location')).toContain('/auth/end-session/success');
  expect(await statusOf(tokens.access_token)).toBe(401);
  expect((await browser.post('/auth/refresh', undefined)).status).toBe(200);
});

test('an application is told when the session ends by time', async () => {
  await makeVerified(app, 'absent');
  const tokens = await logInTo(config, openBrowser(origin), 'absent', { scope });
  app.clock.advanceMs = 8 * 86_400_000;
  await app.runJob('purge');
  expect((await nextLogout())['sid']).toBe(tokens.claims()?.['sid']);
  app.clock.advanceMs = 0;
});
