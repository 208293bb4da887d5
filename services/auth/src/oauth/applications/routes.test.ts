import { afterAll, expect, test } from 'vitest';
import { makeOperator } from '../../operator/operator.fixture.ts';
import { makeAccount, PASSWORD, startTestApp } from '../../test-app.ts';
import { CALLBACK, makeApplication, makeVerified } from '../oauth.fixture.ts';

const app = await startTestApp({ OPERATOR_EMAILS: 'operator@example.com' });
afterAll(() => app[Symbol.asyncDispose]());

const BODY = { kind: 'web', name: 'Reading list', redirectUrls: [CALLBACK], password: PASSWORD };

test('an application is registered, shown with its secret once, changed and deleted', async () => {
  const { accessToken: token } = await makeVerified(app, 'maker');
  const body = { ...BODY, scopes: ['notes:read'], homePage: 'https://rp.example' };
  const created = await app.call('POST', '/applications', { token, body });
  const { secret, ...shown } = created.body;
  expect([created.status, created.headers['cache-control']]).toEqual([201, 'no-store']);
  expect(secret).toMatch(/^atrium_app_[\w-]{43}$/);
  expect(shown).toMatchObject({
    kind: 'web',
    name: 'Reading list',
    homePage: 'https://rp.example',
    postLogoutUrls: [],
    backchannelLogoutUrl: null,
    idTokenAlgorithm: 'RS256',
    isFirstParty: false,
    people: 0,
    secrets: [{ ending: String(secret).slice(-4) }],
  });
  const list = await app.call('GET', '/applications', { token });
  expect(list.body).toEqual({ data: [shown], limit: 10 });
  const stored = JSON.stringify(await app.db.query('SELECT * FROM application_secrets'));
  expect(stored).not.toContain(String(secret).slice(11, 40));

  const path = `/applications/${String(shown['id'])}`;
  const changes = { name: 'Bookshelf', idTokenAlgorithm: 'EdDSA', isFirstParty: true };
  expect((await app.call('PATCH', path, { token, body: changes })).status).toBe(422);
  const { isFirstParty: _own, ...allowed } = changes;
  const changed = await app.call('PATCH', path, { token, body: allowed });
  expect(changed.body).toEqual({ ...shown, ...allowed });
  expect((await app.call('GET', path, { token })).body).toEqual(changed.body);
  expect((await app.call('DELETE', path, { token })).status).toBe(204);
  expect((await app.call('GET', path, { token })).status).toBe(404);
});

test('only its owner sees and changes it, with a session', async () => {
  const { accessToken } = await makeVerified(app, 'proprietor');
  const { id } = await makeApplication(app, accessToken);
  const { accessToken: token } = await makeVerified(app, 'stranger');
  const path = `/applications/${id}`;
  const proof = { password: PASSWORD };
  const answers = [
    await app.call('GET', path, { token }),
    await app.call('PATCH', path, { token, body: { name: 'Mine' } }),
    await app.call('DELETE', path, { token }),
    await app.call('POST', `${path}/secrets`, { token, body: proof }),
    await app.call('DELETE', `${path}/secrets/sct_1`, { token }),
    await app.call('DELETE', `${path}/logo`, { token }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  const scoped = { name: 'all', scopes: ['account:read'], expiresInDays: 1, ...proof };
  const personal = await app.call('POST', '/user/tokens', { token, body: scoped });
  const bearer = String(personal.body['token']);
  expect((await app.call('GET', '/applications', { token: bearer })).status).toBe(403);
  expect((await app.call('GET', '/user/grants', { token: bearer })).status).toBe(403);
});

test('has at most two secrets, and none where they could not be kept', async () => {
  const { accessToken: token } = await makeVerified(app, 'keeper');
  const { id } = await makeApplication(app, token);
  const add = (of: string, password = PASSWORD) =>
    app.call('POST', `/applications/${of}/secrets`, { token, body: { password } });
  expect((await add(id, 'a wrong guess')).headers['error-code']).toBe('password-wrong');
  const second = await add(id);
  expect([second.status, second.body['secret']]).toEqual([201, expect.any(String)]);
  expect((await add(id)).headers['error-code']).toBe('too-many-secrets');
  const path = `/applications/${id}/secrets/${String(second.body['id'])}`;
  expect((await app.call('DELETE', path, { token })).status).toBe(204);
  expect((await app.call('DELETE', path, { token })).status).toBe(404);
  const page = await makeApplication(app, token, { kind: 'single-page' });
  expect(page.secret).toBe('undefined');
  expect((await add(page.id)).headers['error-code']).toBe('no-secrets');
});

test('needs a verified address, the password, and no more than the plan allows', async () => {
  const { accessToken: token, id } = await makeAccount(app, 'newcomer');
  const create = (changes: object = {}) =>
    app.call('POST', '/applications', { token, body: { ...BODY, ...changes } });
  expect((await create()).headers['error-code']).toBe('email-not-verified');
  await app.db.query('UPDATE accounts SET email_verified_at = now() WHERE id = $1', [id]);
  expect((await create({ password: 'a wrong guess' })).headers['error-code']).toBe(
    'password-wrong',
  );
  for (let count = 0; count < 10; count += 1) expect((await create()).status).toBe(201);
  const { headers, body } = await create();
  expect(headers['error-code']).toBe('plan-limit-applications');
  expect(body['message']).toBe('Your plan allows 10 applications');
});

test('takes only addresses that nobody else can read', async () => {
  const { accessToken: token } = await makeVerified(app, 'addresser');
  const codeOf = async (changes: object) => {
    const answer = await app.call('POST', '/applications', {
      token,
      body: { ...BODY, ...changes },
    });
    return answer.headers['error-code'];
  };
  const refused = [
    'http://rp.example/callback',
    'https://user:secret@rp.example/callback',
    'https://rp.example/callback#part',
    'javascript:alert(1)',
    'data:text/html,1',
    'com.example.app:/callback',
    '/callback',
    'https://localhost/callback',
  ];
  for (const url of refused) {
    expect([url, await codeOf({ redirectUrls: [url] })]).toEqual([url, 'url-not-allowed']);
  }
  expect(await codeOf({ redirectUrls: [] })).toBe('redirect-url-missing');
  expect(await codeOf({ kind: 'machine', redirectUrls: [] })).toBeUndefined();
  // Nobody logs in to it.
  expect(await codeOf({ kind: 'machine' })).toBe('url-not-allowed');
  const own = ['http://127.0.0.1/callback', 'com.example.app:/callback'];
  expect(await codeOf({ kind: 'native', redirectUrls: own })).toBeUndefined();
  expect(await codeOf({ redirectUrls: ['http://localhost:3000/callback'] })).toBeUndefined();
  expect(await codeOf({ postLogoutUrls: ['http://rp.example/'] })).toBe('url-not-allowed');
  expect(await codeOf({ homePage: 'ftp://rp.example/' })).toBe('url-not-allowed');
  expect(await codeOf({ backchannelLogoutUrl: 'http://rp.example/' })).toBe('url-not-allowed');
});

test('cannot have a name that breaks or turns around the text about it', async () => {
  const { accessToken: token } = await makeVerified(app, 'namer');
  for (const name of [' ', 'Reading\nlist', '\u202Etsil', 'Reading\u200Blist']) {
    const { body } = await app.call('POST', '/applications', { token, body: { ...BODY, name } });
    expect(body['message']).toBe('Name must be one line of visible characters');
  }
});

test('says why a redirect URL is refused', async () => {
  const { accessToken: token } = await makeVerified(app, 'mistaken');
  const reasons = {
    'https://rp.example/callback#part': 'must not have a # in it',
    'https://user:secret@rp.example/callback': 'must not have a user name or password in it',
    '/callback': 'is not a whole URL, such as https://app.example.com/callback',
    'app:/callback': 'needs a dot in its scheme, as com.example.app:/callback has',
  };
  for (const [url, reason] of Object.entries(reasons)) {
    const body = { ...BODY, kind: 'native', redirectUrls: [url] };
    const refused = await app.call('POST', '/applications', { token, body });
    expect(refused.body['message']).toBe(`${url} ${reason}`);
  }
});

test('only operators say that it belongs to those who run Atrium', async () => {
  const { accessToken: token } = await makeVerified(app, 'hopeful');
  const { id } = await makeApplication(app, token);
  const path = `/api/operator/applications/${id}`;
  const body = { isFirstParty: true, reason: 'It is our own mobile app' };
  expect((await app.call('PATCH', path, { token, body })).status).toBe(404);
  const operator = await makeOperator(app, 'operator');
  const change = (target: string) =>
    app.call('PATCH', target, { token: operator.accessToken, body });
  expect((await change(path)).status).toBe(204);
  const shown = await app.call('GET', `/applications/${id}`, { token });
  expect(shown.body['isFirstParty']).toBe(true);
  expect((await change('/api/operator/applications/app_1')).status).toBe(404);
  const log = await app.call('GET', '/user/audit?category=operator', { token });
  expect(log.body['data']).toMatchObject([{ kind: 'operator.application_changed' }]);
});
