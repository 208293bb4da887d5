import { afterAll, expect, test } from 'vitest';
import { inputOf, makeAccount, signIn, startTestApp } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const url = '/user/me/settings';

test('takes the language from Accept-Language at registration', async () => {
  const body = inputOf('german');
  const headers = { 'accept-language': 'de-DE,de;q=0.9,en;q=0.8' };
  await app.call('POST', '/auth/register', { body, headers });
  const { accessToken: token } = await signIn(app, body);
  const answer = await app.call('GET', url, { token });
  expect([answer.status, answer.body]).toEqual([200, { language: 'de' }]);
});

test('changes the language, and keeps it when it is left out', async () => {
  const { accessToken: token } = await makeAccount(app, 'switcher');
  expect((await app.call('GET', url, { token })).body).toEqual({ language: 'en' });
  const changed = await app.call('PATCH', url, { token, body: { language: 'de' } });
  expect([changed.status, changed.body]).toEqual([200, { language: 'de' }]);
  expect((await app.call('PATCH', url, { token, body: {} })).body).toEqual({ language: 'de' });
});

test('returns 422 for an unknown language and 401 without an access token', async () => {
  const { accessToken: token } = await makeAccount(app, 'speaker');
  expect((await app.call('PATCH', url, { token, body: { language: 'fr' } })).status).toBe(422);
  expect((await app.call('PATCH', url, { body: { language: 'de' } })).status).toBe(401);
  expect((await app.call('GET', url)).status).toBe(401);
});
