// The attacks of RFC 9700 (Best Current Practice for OAuth 2.0 Security), which names its sections.
import * as client from 'openid-client';
import { afterAll, describe, expect, test } from 'vitest';
import {
  beginLogin,
  CALLBACK,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
const victim = await makeVerified(app, 'victim');
const made = await makeApplication(app, owner.accessToken, { homePage: 'https://rp.example' });
const config = await relyingParty(origin, made);
const statusOf = async (token: string) => (await app.call('GET', '/user/me', { token })).status;
const scope = 'openid account:read';

/** A browser in which the victim is logged in and has allowed the application. */
async function victimsBrowser() {
  const browser = openBrowser(origin);
  await logInTo(config, browser, 'victim', { scope });
  return browser;
}

/** The token endpoint without a library that would refuse to send this. */
async function askForToken(
  parameters: Record<string, string>,
  { query = '', secret = made.secret } = {},
) {
  const basic = Buffer.from(`${made.id}:${secret}`).toString('base64');
  const response = await fetch(`${origin}/oauth/token${query}`, {
    method: 'POST',
    headers: secret === '' ? {} : { authorization: `Basic ${basic}` },
    body: new URLSearchParams(parameters),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('security 32: nobody is sent to an address that was not registered (section 4.1)', () => {
  const addresses = [
    'https://evil.example/callback',
    'https://rp.example/callback/../evil',
    'https://rp.example/callback?next=https://evil.example',
    'https://rp.example.evil.example/callback',
    'https://rp.example@evil.example/callback',
    'https://rp.example/Callback',
    'http://rp.example/callback',
    'https://rp.example:8443/callback',
    'javascript:alert(1)',
    '//evil.example/callback',
  ];
  test.each(addresses)('%s', async (address) => {
    const browser = await victimsBrowser();
    for (const extra of [
      {},
      { prompt: 'none' },
      { scope: 'unknown' },
      { response_type: 'token' },
    ]) {
      const { url } = await beginLogin(config, { redirect_uri: address, ...extra });
      const response = await browser.send(url, { headers: { accept: 'text/html' } });
      expect([response.status, response.headers.get('location')]).toEqual([400, null]);
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(await response.text()).not.toMatch(/href|<script|<meta http-equiv/);
    }
  });

  test('nor after a logout, nor by a parameter that is given twice', async () => {
    const browser = await victimsBrowser();
    const logout = new URL('/auth/end-session', origin);
    const parameters = { client_id: made.id, post_logout_redirect_uri: 'https://evil.example/' };
    logout.search = String(new URLSearchParams(parameters));
    expect((await browser.open(logout)).pathname).toBe('/auth/end-session');
    // Without that address it asks, and says whose logout it is.
    const own = `/auth/end-session?client_id=${made.id}`;
    expect(await (await browser.send(own)).text()).toContain('“Reading list” asks to log you out');
    const german = await browser.send(own, { headers: { 'accept-language': 'de' } });
    expect(await german.text()).toContain('„Reading list“ möchte dich abmelden');
    const { url } = await beginLogin(config);
    const twice = `${url.href}&redirect_uri=https%3A%2F%2Fevil.example%2F`;
    expect((await browser.open(twice)).origin).toBe(origin);
  });
});

test('security 33: a stolen code is worth nothing in another login (section 4.5)', async () => {
  const browser = await victimsBrowser();
  const stolen = await beginLogin(config, { scope });
  const page = await browser.open(stolen.url);
  const code = page.searchParams.get('code') ?? '';
  const own = await beginLogin(config, { scope });
  // Injected into the attacker's own login: the verifier is another one.
  const injected = new URL(page);
  injected.searchParams.set('state', own.checks.expectedState);
  await expect(own.finish(injected)).rejects.toMatchObject({ error: 'invalid_grant' });
  const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  const other = await makeApplication(app, owner.accessToken);
  const asOther = await relyingParty(origin, other);
  await expect(client.authorizationCodeGrant(asOther, page, stolen.checks)).rejects.toMatchObject({
    error: 'invalid_grant',
  });
  const moved = { ...grant, redirect_uri: `${CALLBACK}/other` };
  const verifier = { code_verifier: stolen.checks.pkceCodeVerifier };
  expect((await askForToken({ ...moved, ...verifier })).body['error']).toBe('invalid_grant');
});

test('security 34: a code works once; used again, it ends what it gave (section 4.5.3)', async () => {
  const browser = await victimsBrowser();
  const login = await beginLogin(config, { scope });
  const page = await browser.open(login.url);
  const tokens = await login.finish(page);
  expect(await statusOf(tokens.access_token)).toBe(200);
  await expect(login.finish(page)).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await statusOf(tokens.access_token)).toBe(401);
  const refreshing = client.refreshTokenGrant(config, tokens.refresh_token ?? '');
  await expect(refreshing).rejects.toMatchObject({ error: 'invalid_grant' });
  const log = await app.call('GET', '/user/audit', { token: victim.accessToken });
  expect(JSON.stringify(log.body)).toContain('application.replayed');
});

test('security 34: of many requests with one code, one gets tokens at most', async () => {
  const browser = await victimsBrowser();
  const login = await beginLogin(config, { scope });
  const page = await browser.open(login.url);
  const parameters = {
    grant_type: 'authorization_code',
    code: page.searchParams.get('code') ?? '',
    redirect_uri: CALLBACK,
    code_verifier: login.checks.pkceCodeVerifier,
  };
  const answers = await Promise.all(Array.from({ length: 8 }, () => askForToken(parameters)));
  const successes = answers.filter(({ status }) => status === 200);
  expect(successes.length).toBeLessThanOrEqual(1);
  for (const { body } of successes) expect(await statusOf(String(body['access_token']))).toBe(401);
});

test('security 35: a code is worth nothing after a minute', async () => {
  const browser = await victimsBrowser();
  const login = await beginLogin(config, { scope });
  const page = await browser.open(login.url);
  app.clock.advanceMs = 60_000;
  await expect(login.finish(page)).rejects.toMatchObject({ error: 'invalid_grant' });
  app.clock.advanceMs = 0;
});

test('security 36: every answer says who gave it, so that issuers are not mixed up (section 4.4)', async () => {
  const browser = await victimsBrowser();
  const good = await browser.open((await beginLogin(config, { scope })).url);
  expect(good.searchParams.get('iss')).toBe(origin);
  const bad = await browser.open((await beginLogin(config, { scope: 'openid links:read' })).url);
  expect([bad.searchParams.get('error'), bad.searchParams.get('iss')]).toEqual([
    'invalid_scope',
    origin,
  ]);
  const login = await beginLogin(config, { scope });
  const mixed = await browser.open(login.url);
  mixed.searchParams.set('iss', 'https://other.example');
  await expect(login.finish(mixed)).rejects.toThrow('invalid response');
});

test('security 37: nobody can do without PKCE, or with a weaker one (section 4.8)', async () => {
  const browser = await victimsBrowser();
  const errorOf = async (change: (parameters: URLSearchParams) => void) => {
    const { url } = await beginLogin(config, { scope });
    change(url.searchParams);
    return (await browser.open(url)).searchParams.get('error');
  };
  expect(await errorOf((each) => each.delete('code_challenge_method'))).toBe('invalid_request');
  expect(await errorOf((each) => each.set('code_challenge_method', 'plain'))).toBe(
    'invalid_request',
  );
  expect(
    await errorOf((each) => {
      each.delete('code_challenge');
      each.delete('code_challenge_method');
    }),
  ).toBe('invalid_request');
  const login = await beginLogin(config, { scope });
  const page = await browser.open(login.url);
  const code = page.searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: CALLBACK };
  expect((await askForToken(grant)).body['error']).toBe('invalid_grant');
});

test('security 38: a refresh token that comes twice ends its family (section 4.14)', async () => {
  const browser = await victimsBrowser();
  const first = await logInTo(config, browser, 'victim', { scope });
  const second = await client.refreshTokenGrant(config, first.refresh_token ?? '');
  expect(await statusOf(second.access_token)).toBe(200);
  const replay = client.refreshTokenGrant(config, first.refresh_token ?? '');
  await expect(replay).rejects.toMatchObject({ error: 'invalid_grant' });
  expect(await statusOf(second.access_token)).toBe(401);
  const next = client.refreshTokenGrant(config, second.refresh_token ?? '');
  await expect(next).rejects.toMatchObject({ error: 'invalid_grant' });
});

test('security 40: a secret in an address is not read (section 4.3)', async () => {
  const browser = await victimsBrowser();
  const tokens = await logInTo(config, browser, 'victim', { scope });
  const parameters = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
  const query = `?client_id=${made.id}&client_secret=${made.secret}`;
  const answer = await askForToken(parameters, { query, secret: '' });
  expect([answer.status, answer.body['error']]).toEqual([400, 'invalid_request']);
  const asked = `${origin}/oauth/userinfo?access_token=${tokens.access_token}`;
  expect((await fetch(asked)).status).toBe(400);
  expect((await askForToken(parameters, { secret: 'a wrong guess' })).status).toBe(401);
});

test('security 41: an access token of an application is not a session, an ID token is neither', async () => {
  const browser = await victimsBrowser();
  const tokens = await logInTo(config, browser, 'victim', { scope });
  const token = tokens.access_token;
  const denied = [
    await app.call('GET', '/user/grants', { token }),
    await app.call('POST', '/applications', { token, body: { kind: 'web', name: 'Taken' } }),
    await app.call('POST', '/user/tokens', { token, body: {} }),
    await app.call('POST', '/user/change-password', { token, body: {} }),
  ];
  expect(denied.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  expect(await statusOf(tokens.id_token ?? '')).toBe(401);
});

test('security 42: what the provider answers is neither framed, cached nor referred to', async () => {
  const browser = await victimsBrowser();
  const { url } = await beginLogin(config, { scope });
  const response = await browser.send(url);
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(response.headers.get('referrer-policy')).toBe('no-referrer');
  expect(response.headers.get('x-request-id')).not.toBeNull();
});
