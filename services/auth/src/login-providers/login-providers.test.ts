import { startProviderElsewhere } from '@atrium/testkit/login-provider';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { makeVerified, openBrowser, startOauthApp } from '../oauth/oauth.fixture.ts';
import { addTotp } from '../second-factor/second-factor.fixture.ts';
import { makeAccount, PASSWORD } from '../test-app.ts';
import { json, person, startProvidersApp } from './login-providers.fixture.ts';

const { app, origin, elsewhere, gitHubEmails, issuer, ...started } = await startProvidersApp();
const { goThrough, complete, signUp, makeProvided, identitiesOf } = started;
afterAll(() => started[Symbol.asyncDispose]());
beforeEach(() => {
  elsewhere.intercept = () => false;
});

test('they are listed with what a login page shows, and nothing secret', async () => {
  const { body } = await app.call('GET', '/auth/providers');
  expect(body).toEqual({
    data: [
      { id: 'acme', name: 'Acme', emailDomains: ['acme.example'] },
      { id: 'github', name: 'GitHub', emailDomains: [] },
    ],
  });
  const unknown = await app.call('POST', '/auth/providers/other/start', { body: {} });
  expect(unknown.status).toBe(404);
});

describe('a new person', () => {
  test('is asked for what is missing, gets a verified account without a password, and comes again', async () => {
    elsewhere.person = person('ada');
    const browser = openBrowser(origin);
    const page = await goThrough(browser);
    expect(page.href).toBe('https://web.example/login/provider');
    expect(await complete(browser)).toEqual({
      status: 200,
      body: { signUp: { provider: 'Acme', email: 'ada@acme.example', name: 'Ada Lovelace' } },
    });
    const { body } = await signUp(browser, 'ada');
    const token = String(body['accessToken']);
    const me = await app.call('GET', '/user/me', { token });
    expect(me.body).toMatchObject({ email: 'ada@acme.example', emailVerified: true });
    expect(await identitiesOf(token)).toMatchObject({
      data: [{ provider: 'acme', label: 'ada@acme.example' }],
      hasPassword: false,
    });

    const again = openBrowser(origin);
    await goThrough(again);
    expect((await complete(again)).body).toMatchObject({ user: { id: me.body['id'] } });
    // What came of it is used up.
    expect((await complete(again)).body).toMatchObject({ error: 'Unauthorized' });
    const login = { email: 'ada@acme.example', password: '!' };
    expect((await app.call('POST', '/auth/login', { body: login })).status).toBe(401);
  });

  test('at GitHub, whose primary address counts', async () => {
    const browser = openBrowser(origin);
    await goThrough(browser, 'github');
    expect((await complete(browser)).body).toEqual({
      signUp: { provider: 'GitHub', email: 'octo@cat.example', name: 'octocat' },
    });
    expect((await signUp(browser, 'octocat')).status).toBe(200);
    gitHubEmails.splice(0, 1, { email: 'changed@cat.example', primary: true, verified: false });
    const again = openBrowser(origin);
    await goThrough(again, 'github');
    expect((await complete(again)).body).toMatchObject({ user: { username: 'octocat' } });
  });

  test('who has not had the answer is logged in when the page asks again', async () => {
    elsewhere.person = person('repeater');
    const browser = openBrowser(origin);
    await goThrough(browser);
    const begun = [...browser.cookies];
    const first = await signUp(browser, 'repeater');
    const beforeAnswer = () => {
      browser.cookies.clear();
      for (const [key, cookie] of begun) browser.cookies.set(key, cookie);
    };
    beforeAnswer();
    const second = await signUp(browser, 'repeater');
    expect([second.status, second.body['user']]).toEqual([200, first.body['user']]);
    const token = String(second.body['accessToken']);
    const me = await app.call('GET', '/user/me', { token });
    expect(me.body).toMatchObject({ username: 'repeater' });
  });

  test('whose name is endless comes in with the beginning of it', async () => {
    elsewhere.person = person('endless', { name: 'A'.repeat(10_000) });
    const browser = openBrowser(origin);
    await goThrough(browser);
    expect((await complete(browser)).body).toMatchObject({ signUp: { name: 'A'.repeat(100) } });
    expect(
      Math.max(...[...browser.cookies.values()].map(({ value }) => value.length)),
    ).toBeLessThan(4096);
  });

  test('may choose no username that is taken, and still has the login to go on with', async () => {
    await makeAccount(app, 'taken');
    elsewhere.person = person('chooser');
    const browser = openBrowser(origin);
    await goThrough(browser);
    expect((await signUp(browser, 'taken')).body).toMatchObject({ error: 'Conflict' });
    expect((await signUp(browser, 'chooser')).status).toBe(200);
  });
});

/** The owner is told, with a way to undo it. */
async function expectNotice(email: string, subject: string): Promise<void> {
  const find = () =>
    app.mailbox.messages.find((mail) => mail.to.includes(email) && mail.subject.includes(subject));
  await app.mailbox.waitFor(() => find() !== undefined);
  expect(find()?.text).toContain('/not-me/');
}

test('the second factor of the account still counts', async () => {
  const account = await addTotp(app, await makeAccount(app, 'careful'));
  const browser = openBrowser(origin);
  await browser.logIn('careful');
  elsewhere.person = person('careful');
  const { accessToken: token } = account;
  const begun = await json(
    await browser.post(
      '/auth/providers/acme/link',
      { password: PASSWORD, code: account.codes.next() },
      token,
    ),
  );
  await browser.open(await openBrowser(issuer).open(String(begun.body['location'])));
  expect((await complete(browser)).body).toEqual({ linked: 'Acme' });
  await expectNotice(account.email, 'is linked with Acme');
  const other = openBrowser(origin);
  await goThrough(other);
  const { body } = await complete(other);
  expect(body).toMatchObject({ mfaRequired: true, mfaToken: expect.any(String) });
  expect(body).not.toHaveProperty('accessToken');
});

test('the last way in stays, until there is a password', async () => {
  const { token } = await makeProvided('lasting');
  const [identity] = (await identitiesOf(token)).data;
  const unlink = () =>
    app.call('POST', `/user/identities/${identity?.id}/unlink`, {
      token,
      body: { password: PASSWORD },
    });
  expect((await unlink()).body).toMatchObject({ error: 'Conflict' });
  const email = 'lasting@acme.example';
  await app.call('POST', '/auth/forgot-password', { body: { email } });
  const reset = await app.emailToken(email, 'reset-password');
  await app.call('POST', `/auth/reset-password/${reset}`, { body: { password: PASSWORD } });
  const answer = await app.call('POST', '/auth/login', { body: { email, password: PASSWORD } });
  const fresh = String(answer.body['accessToken']);
  expect((await identitiesOf(fresh)).hasPassword).toBe(true);
  const removed = await app.call('POST', `/user/identities/${identity?.id}/unlink`, {
    token: fresh,
    body: { password: PASSWORD },
  });
  expect(removed.status).toBe(204);
  await expectNotice(email, 'no longer linked with Acme');
  const browser = openBrowser(origin);
  elsewhere.person = person('lasting');
  await goThrough(browser);
  expect((await complete(browser)).status).toBe(409);
  const { body } = await app.call('GET', '/user/audit?kind=identity.unlinked', { token: fresh });
  expect(body['data']).toMatchObject([{ data: { provider: 'Acme' } }]);
});

describe('a provider that', () => {
  const paths: [string, (path: string) => boolean][] = [
    ['fails', (path) => path.startsWith('/token')],
    ['sends too much', (path) => path.startsWith('/token')],
  ];
  test.each(paths)('%s ends the login with a page that says so', async (what, fits) => {
    elsewhere.person = person(`faulty-${what.length}`);
    const browser = openBrowser(origin);
    elsewhere.intercept = ({ url = '' }, response) => {
      if (!fits(url)) return false;
      response.writeHead(what === 'fails' ? 500 : 200, { 'content-type': 'application/json' });
      response.end(what === 'fails' ? '{}' : `{"a":"${'x'.repeat(300_000)}"}`);
      return true;
    };
    expect((await goThrough(browser)).searchParams.get('error')).toBe('failed');
  });

  test('cannot be reached makes a 503, and works once it can', async () => {
    await using late = await startProviderElsewhere();
    const { issuer, clientId, clientSecret } = late;
    const provider = { id: 'late', name: 'Late', issuer, clientId, clientSecret };
    const LATE = JSON.stringify([provider]);
    await using other = await startOauthApp({ LOGIN_PROVIDERS: LATE });
    late.register(`${other.origin}/auth/providers/late/callback`);
    late.intercept = (_request, response) => {
      response.destroy();
      return true;
    };
    const { accessToken: token } = await makeVerified(other.app, 'linker');
    const start = () => other.app.call('POST', '/auth/providers/late/start', { body: {} });
    const link = () =>
      other.app.call('POST', '/auth/providers/late/link', { token, body: { password: PASSWORD } });
    expect((await start()).status).toBe(503);
    expect((await link()).status).toBe(503);
    late.intercept = () => false;
    expect((await start()).status).toBe(200);
    expect((await link()).status).toBe(200);
  });

  test('a login that the person declines leads back with that', async () => {
    const browser = openBrowser(origin);
    const { body } = await json(
      await browser.post('/auth/providers/acme/start', { returnTo: '/n' }),
    );
    const state = new URL(String(body['location'])).searchParams.get('state');
    const query = new URLSearchParams({ error: 'access_denied', state: String(state) });
    const page = await browser.open(`/auth/providers/acme/callback?${query.toString()}`);
    expect(page.href).toBe('https://web.example/login/provider?return_to=%2Fn&error=denied');
  });
});
