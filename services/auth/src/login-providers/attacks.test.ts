import { afterAll, expect, test } from 'vitest';
import { makeVerified, openBrowser } from '../oauth/oauth.fixture.ts';
import { makeAccount, PASSWORD } from '../test-app.ts';
import { json, person, startProvidersApp } from './login-providers.fixture.ts';

const { app, origin, elsewhere, issuer, ...started } = await startProvidersApp();
const { goThrough, complete, signUp, makeProvided, link } = started;
afterAll(() => started[Symbol.asyncDispose]());

test('1: an address that the provider has not verified finds no account and makes none', async () => {
  await makeAccount(app, 'victim');
  for (const email_verified of [false, undefined, 'true']) {
    const email = 'victim@example.com';
    elsewhere.person = person(`liar-${String(email_verified)}`, { email, email_verified });
    const browser = openBrowser(origin);
    await goThrough(browser);
    expect((await complete(browser)).status).toBe(403);
    expect((await signUp(browser, 'liar')).status).toBe(403);
  }
});

test('2: a verified address of an account does not log in to it, whoever registered it first', async () => {
  const account = await makeVerified(app, 'early');
  elsewhere.person = person('early', { email: account.email });
  const browser = openBrowser(origin);
  await goThrough(browser);
  const { status, body } = await complete(browser);
  expect([status, body['error']]).toEqual([409, 'Conflict']);
  expect((await signUp(browser, 'earlier')).status).toBe(409);
  // Its owner proves it with the password, and links it.
  const own = openBrowser(origin);
  const token = await own.logIn('early');
  expect((await link(own, token)).body).toEqual({ linked: 'Acme' });
  const later = openBrowser(origin);
  await goThrough(later);
  expect((await complete(later)).body).toMatchObject({ user: { id: account.id } });
});

test('3: an answer without the cookie of the browser that began is worth nothing', async () => {
  elsewhere.person = person('csrf');
  const attacker = openBrowser(origin);
  const { body } = await json(await attacker.post('/auth/providers/acme/start', {}));
  const answer = await openBrowser(issuer).open(String(body['location']));
  const victim = openBrowser(origin);
  expect((await victim.open(answer)).searchParams.get('error')).toBe('expired');
  expect((await complete(victim)).status).toBe(401);
  await goThrough(victim);
  expect((await victim.open(answer)).searchParams.get('error')).toBe('expired');
});

test('4: an answer to another login of the same browser, or a second one, is refused', async () => {
  elsewhere.person = person('replayed');
  const browser = openBrowser(origin);
  const there = openBrowser(issuer);
  const begin = async () => {
    const { body } = await json(await browser.post('/auth/providers/acme/start', {}));
    return there.open(String(body['location']));
  };
  const first = await begin();
  const second = await begin();
  expect((await browser.open(first)).searchParams.get('error')).toBe('expired');
  expect((await browser.open(second)).searchParams.get('error')).toBe('expired');
  const third = await begin();
  expect((await browser.open(third)).searchParams.get('error')).toBeNull();
  expect((await browser.open(third)).searchParams.get('error')).toBe('expired');
});

test.each([
  ['nonce', 'nonce', 'another'],
  ['verifier', 'code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
])('5: a code that was asked for with another %s is refused', async (_what, name, value) => {
  elsewhere.person = person(`injected-${name}`);
  const browser = openBrowser(origin);
  const { body } = await json(await browser.post('/auth/providers/acme/start', {}));
  const url = new URL(String(body['location']));
  url.searchParams.set(name, value);
  const page = await browser.open(await openBrowser(issuer).open(url));
  expect(page.searchParams.get('error')).toBe('failed');
  expect((await complete(browser)).status).toBe(401);
});

test('6: an answer at the callback of another provider, or of another issuer, is refused', async () => {
  elsewhere.person = person('mixed');
  const browser = openBrowser(origin);
  const begin = async () => {
    const { body } = await json(await browser.post('/auth/providers/acme/start', {}));
    return openBrowser(issuer).open(String(body['location']));
  };
  const other = await begin();
  other.pathname = other.pathname.replace('acme', 'github');
  expect((await browser.open(other)).searchParams.get('error')).toBe('expired');
  const mixed = await begin();
  mixed.searchParams.set('iss', 'https://evil.example');
  expect((await browser.open(mixed)).searchParams.get('error')).toBe('failed');
});

test('7: pages of other sites can neither begin nor complete a login', async () => {
  for (const path of ['acme/start', 'complete', 'sign-up']) {
    const response = await fetch(`${origin}/auth/providers/${path}`, {
      method: 'POST',
      headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
      body: '{}',
    });
    expect([path, response.status]).toEqual([path, 403]);
  }
});

test('8: linking needs the password, stays in one session, and takes nothing from others', async () => {
  const { body } = await makeProvided('linked-already');
  expect(body).toHaveProperty('user');
  const thief = openBrowser(origin);
  await makeVerified(app, 'thief');
  const token = await thief.logIn('thief');
  expect((await link(thief, token, 'a wrong password')).status).toBe(401);
  elsewhere.person = person('linked-already');
  expect((await link(thief, token)).body).toMatchObject({ error: 'Conflict' });
  elsewhere.person = person('unlinked');
  const begun = await json(
    await thief.post('/auth/providers/acme/link', { password: PASSWORD }, token),
  );
  await app.call('POST', '/auth/logout', { token });
  await thief.open(await openBrowser(issuer).open(String(begun.body['location'])));
  expect((await complete(thief)).status).toBe(401);
});
