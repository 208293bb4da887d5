import { afterAll, expect, test } from 'vitest';
import { addTotp } from '../../second-factor/second-factor.fixture.ts';
import { PASSWORD, startTestApp, type TestAccount } from '../../test-app.ts';
import { makeApplication, makeVerified } from '../oauth.fixture.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const CODES_OF_THIEF = 'https://thief.example/callback';
const GUARDED = [
  { redirectUrls: [CODES_OF_THIEF] },
  { postLogoutUrls: ['https://thief.example/'] },
  { backchannelLogoutUrl: 'https://thief.example/logouts' },
  { scopes: ['account:read', 'notes:read', 'notes:write'] },
];

async function begin(username: string) {
  const owner = await makeVerified(app, username);
  const { id } = await makeApplication(app, owner.accessToken, { name: `Shelf of ${username}` });
  const path = `/applications/${id}`;
  const token = owner.accessToken;
  return {
    owner,
    path,
    change: (body: object) => app.call('PATCH', path, { token, body }),
    read: async () => (await app.call('GET', path, { token })).body,
  };
}

const mailsTo = ({ email }: TestAccount) =>
  app.mailbox.messages.filter(
    ({ to, subject }) => to.includes(email) && subject === 'Your application was changed',
  );

async function nextMailTo(owner: TestAccount, count = 1): Promise<string> {
  await app.mailbox.waitFor(() => mailsTo(owner).length >= count);
  return mailsTo(owner).at(-1)?.text ?? '';
}

async function auditOf({ accessToken: token }: TestAccount) {
  const { body } = await app.call('GET', '/user/audit?category=application', { token });
  return body['data'] as { kind: string; data: object }[];
}

test.each(GUARDED)('an access token alone does not change %o', async (body) => {
  const { owner, change, read } = await begin(`robbed-${Object.keys(body)[0]?.toLowerCase()}`);
  const before = await read();
  const refused = await change({ name: 'Mine', ...body });
  expect([refused.status, refused.headers['error-code']]).toEqual([403, 'proof-required']);
  const guessed = await change({ ...body, password: 'a wrong guess' });
  expect([guessed.status, guessed.headers['error-code']]).toEqual([401, 'password-wrong']);
  expect(await read()).toEqual(before);
  expect((await auditOf(owner)).map(({ kind }) => kind)).toEqual(['application.created']);
  const changed = await change({ ...body, password: PASSWORD });
  expect([changed.status, changed.body]).toEqual([200, { ...before, ...body }]);
});

test('its owner is told by email what was changed, and it is in the audit trail', async () => {
  const { owner, path, change } = await begin('told');
  const backchannelLogoutUrl = 'https://rp.example/logouts';
  const redirectUrls = ['https://rp.example/back'];
  await change({ name: 'Bookshelf', redirectUrls, backchannelLogoutUrl, password: PASSWORD });
  const mail = await nextMailTo(owner);
  expect(mail).toContain('Application: Shelf of told');
  expect(mail).toContain('Change: Redirect URLs, Back-channel logout URL');
  expect(mail).toContain('https://web.example/not-me/');
  expect(mail).toContain(`https://web.example/developers${path}`);
  expect(mail).not.toContain('rp.example');
  const [entry] = await auditOf(owner);
  expect(entry).toMatchObject({
    kind: 'application.changed',
    data: { name: 'Shelf of told', changed: 'name redirectUrls backchannelLogoutUrl' },
  });
});

test('needs the second factor too where one is on', async () => {
  const { owner, change } = await begin('factored');
  const { codes } = await addTotp(app, owner);
  const body = { redirectUrls: ['https://rp.example/back'], password: PASSWORD };
  expect((await change(body)).headers['error-code']).toBe('second-factor-required');
  expect((await change({ ...body, code: codes.next() })).status).toBe(200);
});

test('what stays as it is, and what people are only shown, needs no password', async () => {
  const { owner, change, read } = await begin('editor');
  const { redirectUrls, postLogoutUrls, backchannelLogoutUrl } = await read();
  const scopes = ['notes:read', 'account:read'];
  const same = { redirectUrls, postLogoutUrls, backchannelLogoutUrl, scopes };
  const homePage = 'https://rp.example/about';
  const changed = await change({ ...same, homePage });
  expect([changed.status, changed.body['homePage']]).toEqual([200, homePage]);
  expect((await change({ ...same, homePage })).status).toBe(200);
  const changes = (await auditOf(owner)).filter(({ kind }) => kind === 'application.changed');
  expect(changes.map(({ data }) => data)).toEqual([
    { name: 'Shelf of editor', changed: 'homePage' },
  ]);
});

test('an invalid URL is named before the password is asked for', async () => {
  const { change } = await begin('mistaken');
  const answer = await change({ redirectUrls: ['ftp://rp.example'] });
  expect([answer.status, answer.headers['error-code']]).toEqual([422, 'url-not-allowed']);
});

test('its owner is told by email of secrets that are added and removed, without them', async () => {
  const { owner, path } = await begin('keeper');
  const { accessToken: token } = owner;
  const added = await app.call('POST', `${path}/secrets`, { token, body: { password: PASSWORD } });
  const first = await nextMailTo(owner);
  expect(first).toContain('Change: New secret');
  expect(first).not.toContain(String(added.body['secret']));
  await app.call('DELETE', `${path}/secrets/${String(added.body['id'])}`, { token });
  expect(await nextMailTo(owner, 2)).toContain('Change: Removed secret');
});
