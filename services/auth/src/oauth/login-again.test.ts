import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  beginLogin,
  type Browser,
  logInTo,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
  uidOf,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const scope = 'openid account:read';

async function makeRelyingParty(name: string) {
  const { accessToken } = await makeVerified(app, name);
  const backchannelLogoutUrl = 'https://rp.example/logout';
  return relyingParty(origin, await makeApplication(app, accessToken, { backchannelLogoutUrl }));
}

const [careful, other] = [await makeRelyingParty('careful'), await makeRelyingParty('other')];
beforeAll(() => makeVerified(app, 'person'));

const told = async () =>
  (await app.db.query<{ sid: string }>('SELECT sid FROM oauth_logouts')).map(({ sid }) => sid);

/** What the careful application asks for. */
async function logInAgain(browser: Browser) {
  const login = await beginLogin(careful, { scope, prompt: 'login' });
  const page = await browser.open(login.url);
  return login.finish(await browser.answer(uidOf(page), 'allow', await browser.logIn('person')));
}

describe('a person who logs in again in the same browser', () => {
  test('stays logged in to every application', async () => {
    const browser = openBrowser(origin);
    const tokens = await logInTo(other, browser, 'person', { scope });
    await logInAgain(browser);
    await logInAgain(browser);
    const { status } = await app.call('GET', '/user/me', { token: tokens.access_token });
    expect([status, await told()]).toEqual([200, []]);
    await client.refreshTokenGrant(other, tokens.refresh_token ?? '');
    const next = await logInTo(other, browser, 'person', { scope });
    expect(next.claims()?.['sid']).toBe(tokens.claims()?.['sid']);
  });

  test('logs out of them with the new session', async () => {
    const browser = openBrowser(origin);
    const tokens = await logInTo(other, browser, 'person', { scope });
    const again = await logInAgain(browser);
    await browser.post('/auth/logout', undefined);
    const sids = [tokens, again].map((each) => each.claims()?.['sid']);
    expect(await told()).toEqual(expect.arrayContaining(sids));
    const refreshing = client.refreshTokenGrant(other, tokens.refresh_token ?? '');
    await expect(refreshing).rejects.toMatchObject({ error: 'invalid_grant' });
  });

  test('has no session but the new one', async () => {
    const browser = openBrowser(origin);
    const token = await browser.logIn('person');
    await browser.logIn('person');
    expect((await app.call('GET', '/user/me', { token })).status).toBe(401);
  });
});

test('another person who logs in there logs the first one out', async () => {
  const browser = openBrowser(origin);
  const tokens = await logInTo(other, browser, 'person', { scope });
  await browser.logIn('other');
  expect(await told()).toContain(tokens.claims()?.['sid']);
  const refreshing = client.refreshTokenGrant(other, tokens.refresh_token ?? '');
  await expect(refreshing).rejects.toMatchObject({ error: 'invalid_grant' });
});
