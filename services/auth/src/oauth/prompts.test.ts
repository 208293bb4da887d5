import { afterAll, expect, test } from 'vitest';
import { addTotp } from '../second-factor/second-factor.fixture.ts';
import { signInTwice } from '../operator/operator.fixture.ts';
import {
  beginLogin,
  type Browser,
  makeApplication,
  makeVerified,
  openBrowser,
  relyingParty,
  startOauthApp,
  uidOf,
} from './oauth.fixture.ts';

const { app, origin, ...started } = await startOauthApp();
afterAll(() => started[Symbol.asyncDispose]());

const owner = await makeVerified(app, 'owner');
const person = await makeVerified(app, 'person');
const made = await makeApplication(app, owner.accessToken);
const config = await relyingParty(origin, made);
const TWO_FACTORS = 'urn:atrium:acr:two-factors';

/** The browser of somebody who has allowed the application. */
async function knownBrowser(): Promise<Browser> {
  const browser = openBrowser(origin);
  const token = await browser.logIn('person');
  const page = await browser.open((await beginLogin(config)).url);
  if (uidOf(page) !== '') await browser.answer(uidOf(page), 'allow', token);
  return browser;
}

const shownIn = async (browser: Browser, page: URL) =>
  (await (await browser.send(`/auth/authorize/${uidOf(page)}/request`)).json()) as Record<
    string,
    unknown
  >;
const open = async (browser: Browser, parameters: Record<string, string>) =>
  browser.open((await beginLogin(config, parameters)).url);

test('prompt=none answers at once, whoever is there', async () => {
  const none = { prompt: 'none' };
  const nobody = await open(openBrowser(origin), none);
  expect(nobody.searchParams.get('error')).toBe('login_required');
  const browser = await knownBrowser();
  expect((await open(browser, none)).searchParams.has('code')).toBe(true);
  const more = await open(browser, { ...none, scope: 'openid notes:read' });
  expect(more.searchParams.get('error')).toBe('consent_required');
});

test('prompt=consent and select_account ask, however much was allowed before', async () => {
  const browser = await knownBrowser();
  const consent = await shownIn(browser, await open(browser, { prompt: 'consent' }));
  expect(consent).toMatchObject({
    prompt: 'consent',
    newScopes: ['openid'],
    account: { id: person.id, email: person.email },
  });
  const select = await open(browser, { prompt: 'select_account' });
  expect(await shownIn(browser, select)).toMatchObject({ prompt: 'select_account', newScopes: [] });
  const token = await browser.logIn('person');
  expect((await browser.answer(uidOf(select), 'allow', token)).searchParams.has('code')).toBe(true);
});

test('prompt=login and max_age ask for a new login', async () => {
  const browser = await knownBrowser();
  const before = await browser.logIn('person');
  const none = await open(browser, { max_age: '0', prompt: 'none' });
  expect(none.searchParams.get('error')).toBe('login_required');
  await new Promise((resolve) => setTimeout(resolve, 1100));
  for (const parameters of [{ prompt: 'login' }, { max_age: '0' }]) {
    const page = await open(browser, { ...parameters, login_hint: person.email });
    expect(await shownIn(browser, page)).toMatchObject({
      prompt: 'login',
      loginHint: person.email,
      account: null,
    });
    await expect(browser.answer(uidOf(page), 'allow', before)).rejects.toThrow('401');
  }
  const login = await beginLogin(config, { prompt: 'login' });
  const page = await browser.open(login.url);
  const fromSeconds = Math.floor(Date.now() / 1000);
  const token = await browser.logIn('person');
  const tokens = await login.finish(await browser.answer(uidOf(page), 'allow', token));
  expect(tokens.claims()?.auth_time).toBeGreaterThanOrEqual(fromSeconds);
});

test('acr_values asks for a second factor', async () => {
  const browser = await knownBrowser();
  const page = await open(browser, { acr_values: TWO_FACTORS });
  expect(await shownIn(browser, page)).toMatchObject({ prompt: 'login', needsSecondFactor: true });
  const weak = await browser.logIn('person');
  await expect(browser.answer(uidOf(page), 'allow', weak)).rejects.toThrow('second factor');
  const none = await open(browser, { acr_values: TWO_FACTORS, prompt: 'none' });
  expect(none.searchParams.get('error')).toBe('login_required');

  const careful = await makeVerified(app, 'careful');
  const strong = await signInTwice(app, await addTotp(app, careful));
  const twice = openBrowser(origin);
  const { refreshToken, accessToken } = strong;
  twice.cookies.set('refresh', { name: 'refreshToken', value: refreshToken, path: '/auth' });
  const login = await beginLogin(config, { acr_values: TWO_FACTORS });
  let back = await twice.open(login.url);
  if (uidOf(back) !== '') back = await twice.answer(uidOf(back), 'allow', accessToken);
  expect((await login.finish(back)).claims()?.acr).toBe(TWO_FACTORS);
});

test('a person who says no is sent back, logged in or not', async () => {
  const browser = openBrowser(origin);
  const page = await open(browser, {});
  const back = await browser.answer(uidOf(page), 'deny');
  expect([back.origin, back.searchParams.get('error'), back.searchParams.get('iss')]).toEqual([
    'https://rp.example',
    'access_denied',
    origin,
  ]);
});

test('nobody is asked by an application of those who run Atrium, except on a machine', async () => {
  const first = async (changes: object) => {
    const application = await makeApplication(app, owner.accessToken, changes);
    const sql = 'UPDATE applications SET is_first_party = true WHERE id = $1';
    await app.db.query(sql, [application.id]);
    return application;
  };
  const browser = openBrowser(origin);
  await browser.logIn('person');
  const rp = await relyingParty(origin, await first({}));
  const login = await beginLogin(rp, { scope: 'openid account:read' });
  const tokens = await login.finish(await browser.open(login.url));
  expect((await app.call('GET', '/user/me', { token: tokens.access_token })).status).toBe(200);
  const native = await relyingParty(origin, { id: (await first({ kind: 'native' })).id });
  const page = await browser.open((await beginLogin(native)).url);
  expect(await shownIn(browser, page)).toMatchObject({ prompt: 'consent', newScopes: ['openid'] });
});

test('another person in the same browser is asked for themselves', async () => {
  const browser = await knownBrowser();
  await makeVerified(app, 'sister');
  await browser.logIn('sister');
  const page = await open(browser, {});
  expect(await shownIn(browser, page)).toMatchObject({
    newScopes: ['openid'],
    account: { email: 'sister@example.com' },
  });
});
