import { Auth, skipCSRFCheck } from '@auth/core';
import oauth2, { type OAuth2Namespace } from '@fastify/oauth2';
import fastify from 'fastify';
import { afterAll, expect, test } from 'vitest';
import {
  makeApplication,
  makeVerified,
  openBrowser,
  startOauthApp,
  uidOf,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const SITE = 'https://rp.example';
const owner = await makeVerified(app, 'owner');
const person = await makeVerified(app, 'person');

const statusOf = async (token: string) => (await app.call('GET', '/user/me', { token })).status;

/** What the person does at Atrium. @returns where the site is called again */
async function allow(address: string): Promise<URL> {
  const browser = openBrowser(origin);
  const page = await browser.open(address);
  return browser.answer(uidOf(page), 'allow', await browser.logIn('person'));
}

test('@fastify/oauth2 logs in, refreshes and revokes', async () => {
  const redirectUrls = [`${SITE}/callback`];
  const { id, secret } = await makeApplication(app, owner.accessToken, { redirectUrls });
  await using site = fastify();
  await site.register(oauth2, {
    name: 'atrium',
    discovery: { issuer: origin },
    // The answer to a revocation is empty (RFC 7009 section 2.2), which it takes for a fault otherwise.
    credentials: { client: { id, secret }, http: { json: true } },
    scope: ['openid', 'account:read'],
    pkce: 'S256',
    startRedirectPath: '/login',
    callbackUri: `${SITE}/callback`,
    cookie: { path: '/' },
  });
  const { atrium } = site as unknown as { atrium: OAuth2Namespace };
  site.get('/callback', async (request, reply) => {
    const { token } = await atrium.getAccessTokenFromAuthorizationCodeFlow(request, reply);
    return token;
  });
  const begun = await site.inject('/login');
  const cookies = Object.fromEntries(begun.cookies.map(({ name, value }) => [name, value]));
  const back = await allow(String(begun.headers.location));
  const url = `${back.pathname}${back.search}`;
  expect((await site.inject({ url })).statusCode).toBe(500);
  const token = (await site.inject({ url, cookies })).json();
  expect(await statusOf(token.access_token)).toBe(200);
  const { token: next } = await atrium.getNewAccessTokenUsingRefreshToken(token, {});
  expect(next.refresh_token).not.toBe(token.refresh_token);
  expect(await statusOf(next.access_token)).toBe(200);
  const userinfo = await atrium.getNewAccessTokenUsingRefreshToken(next, { scope: 'openid' });
  expect(await atrium.userinfo(userinfo.token.access_token)).toEqual({ sub: person.id });
  await atrium.revokeToken(userinfo.token, 'refresh_token', {});
  expect(await statusOf(next.access_token)).toBe(401);
});

test('Auth.js logs in, with PKCE, state and nonce', async () => {
  const redirectUrls = [`${SITE}/auth/callback/atrium`];
  const made = await makeApplication(app, owner.accessToken, { redirectUrls });
  const cookies = new Map<string, string>();
  const send = async (path: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const request = new Request(new URL(path, SITE), { ...init, headers: { cookie } });
    const response = await Auth(request, {
      basePath: '/auth',
      trustHost: true,
      secret: 'of the site',
      skipCSRFCheck,
      providers: [
        {
          id: 'atrium',
          name: 'Atrium',
          type: 'oidc',
          issuer: origin,
          clientId: made.id,
          clientSecret: made.secret,
          checks: ['pkce', 'state', 'nonce'],
          authorization: { params: { scope: 'openid profile email' } },
        },
      ],
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    return response;
  };
  const begun = await send('/auth/signin/atrium', { method: 'POST' });
  const back = await allow(begun.headers.get('location') ?? '');
  const answered = await send(back.href);
  expect([answered.status, answered.headers.get('location')]).toEqual([302, SITE]);
  expect(await (await send('/auth/session')).json()).toMatchObject({
    user: { name: 'Ada Lovelace', email: person.email },
  });
});
