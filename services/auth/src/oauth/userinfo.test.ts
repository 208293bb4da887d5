import * as client from 'openid-client';
import { afterAll, describe, expect, test } from 'vitest';
import {
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
const person = await makeVerified(app, 'person');
const config = await relyingParty(origin, await makeApplication(app, owner.accessToken));

const statusOf = async (token: string) => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${origin}/oauth/userinfo`, { headers })).status;
};

describe('userinfo with an access token for the services', () => {
  test('answers who the person is, as far as that was allowed', async () => {
    const scope = 'openid profile account:read';
    const tokens = await logInTo(config, openBrowser(origin), 'person', { scope });
    const info = await client.fetchUserInfo(config, tokens.access_token, person.id);
    expect(info).toMatchObject({ sub: person.id, name: 'Ada Lovelace' });
    expect(info).not.toHaveProperty('email');
  });

  test('answers no more than its login asked for, whatever was allowed before', async () => {
    const logIn = (scope: string) => logInTo(config, openBrowser(origin), 'person', { scope });
    const before = await logIn('openid email account:read');
    expect(await client.fetchUserInfo(config, before.access_token, person.id)).toHaveProperty(
      'email',
    );
    const { access_token: token } = await logIn('openid account:read');
    expect(await client.fetchUserInfo(config, token, person.id)).not.toHaveProperty('email');
  });

  test('answers 401 once the person has logged out, and when the token expires', async () => {
    const browser = openBrowser(origin);
    const scope = 'openid account:read';
    const ended = await logInTo(config, browser, 'person', { scope });
    await browser.post('/auth/logout', undefined);
    expect(await statusOf(ended.access_token)).toBe(401);
    const expiring = await logInTo(config, openBrowser(origin), 'person', { scope });
    app.clock.advanceMs = 901_000;
    expect(await statusOf(expiring.access_token)).toBe(401);
    app.clock.advanceMs = 0;
  });

  test('is for logins with openid alone', async () => {
    const body = { kind: 'machine', redirectUrls: [] };
    const machine = await relyingParty(origin, await makeApplication(app, owner.accessToken, body));
    const tokens = await client.clientCredentialsGrant(machine, { scope: 'account:read' });
    expect(await statusOf(tokens.access_token)).toBe(403);
    expect(await statusOf(person.accessToken)).toBe(401);
    const [head, claims] = tokens.access_token.split('.');
    expect(await statusOf(`${head}.${claims}.forged`)).toBe(401);
    expect(await statusOf('no.known.token')).toBe(401);
  });
});
