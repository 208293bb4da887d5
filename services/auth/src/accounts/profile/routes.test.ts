import { afterAll, describe, expect, test } from 'vitest';
import { makeAccount, startTestApp, type TestAccount } from '../../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const ada = await makeAccount(app, 'ada');
const patch = (body: object, { accessToken }: TestAccount = ada) =>
  app.call('PATCH', '/user/me', { token: accessToken, body });
const me = async ({ accessToken }: TestAccount = ada) =>
  (await app.call('GET', '/user/me', { token: accessToken })).body;

const PROFILE = {
  name: 'Countess Lovelace \u{1F469}\u200D\u{1F4BB}',
  bio: 'Notes on the Analytical Engine\n\u{1F9EE}',
  avatar: 'https://images.example/ada.png?size=2',
  profileLinks: [
    { label: 'Home', url: 'http://ada.example' },
    { label: 'Notes', url: 'https://notes.example/ada#g' },
  ],
};

test('changes the given fields and returns the current user', async () => {
  const answer = await patch(PROFILE);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ...(await me()), ...PROFILE });
});

test('keeps the fields that are left out', async () => {
  const before = await me();
  expect((await patch({})).body).toEqual(before);
  expect((await patch({ avatar: null, profileLinks: [] })).body).toEqual({
    ...before,
    avatar: null,
    profileLinks: [],
  });
});

test('changes the username, or its case only, and returns 409 when it is taken', async () => {
  const [one, other] = [await makeAccount(app, 'renamed'), await makeAccount(app, 'occupied')];
  expect((await patch({ username: 'Renamed' }, one)).body['username']).toBe('Renamed');
  const taken = await patch({ username: 'OCCUPIED', name: 'Grace Hopper' }, one);
  expect([taken.status, taken.body]).toEqual([
    409,
    { error: 'Conflict', message: 'Username is already taken' },
  ]);
  expect(await me(one)).toMatchObject({ username: 'Renamed', name: 'Ada Lovelace' });
  expect((await me(other))['username']).toBe('occupied');
});

test('one of several parallel changes to one username succeeds', async () => {
  const accounts = await Promise.all(
    Array.from({ length: 5 }, (_, index) => makeAccount(app, `claimant${index}`)),
  );
  const statuses = await Promise.all(
    accounts.map(async (account, index) => {
      const username = index % 2 === 0 ? 'claimed' : 'Claimed';
      return (await patch({ username }, account)).status;
    }),
  );
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
});

describe('what is refused', () => {
  const link = { label: 'Home', url: 'https://ada.example' };
  test.each([
    [{ name: '  ' }, 422, 'Name must be one line of visible characters'],
    [{ name: 'Ada\u202Ekcatta' }, 422, 'Name must be one line of visible characters'],
    [{ name: 'x'.repeat(101) }, 422, 'Name must be at most 100 characters long'],
    [{ name: null }, 400, 'Name must be a string'],
    [{ username: 'a b' }, 422, 'Username must be 3 to 30 letters, digits, dots, - or _'],
    [{ bio: 'x'.repeat(501) }, 422, 'Bio must be at most 500 characters long'],
    [{ bio: 1 }, 400, 'Bio must be a string'],
    [{ avatar: 'http://images.example/a.png' }, 422, 'Avatar must be an https URL'],
    [{ avatar: 'javascript:alert(1)' }, 422, 'Avatar must be an https URL'],
    [{ avatar: 'https://exa mple/' }, 422, 'Avatar must be a valid URL'],
    [{ avatar: 'https://a@b.example/' }, 422, 'Avatar must not contain a user name or password'],
    [{ profileLinks: Array.from({ length: 11 }, () => link) }, 422, /at most 10 items/],
    [{ profileLinks: [{ ...link, url: 'ftp://ada.example' }] }, 422, /http or https URL/],
    [{ profileLinks: [{ ...link, url: 'javascript:alert(1)//' }] }, 422, /http or https URL/],
    [{ profileLinks: [{ ...link, url: 'https://[' }] }, 422, /must be a valid URL/],
    [{ profileLinks: [{ ...link, label: ' ' }] }, 422, /must not be blank/],
    [{ profileLinks: [{ label: 'Home' }] }, 400, 'URL is required'],
    [{ profileLinks: 'https://ada.example' }, 400, 'Profile links must be an array'],
  ])('%j', async (body, status, message) => {
    const before = await me();
    const answer = await patch(body);
    expect([answer.status, answer.body['message']]).toEqual([
      status,
      typeof message === 'string' ? message : expect.stringMatching(message),
    ]);
    expect(await me()).toEqual(before);
  });
});

test('returns 401 without a valid token and an active session', async () => {
  const account = await makeAccount(app, 'loggedout');
  expect((await app.call('PATCH', '/user/me', { body: { bio: 'x' } })).status).toBe(401);
  const { refreshToken } = account;
  await app.call('POST', '/auth/logout', { cookies: { refreshToken } });
  expect((await patch({ bio: 'x' }, account)).status).toBe(401);
});

test.each(
  Object.entries({
    id: 'usr_00000000000000000000000000',
    plan: 'pro',
    email: 'other@example.com',
    emailVerified: true,
    email_verified_at: '2026-01-01T00:00:00.000Z',
    passwordHash: 'x',
    password: 'an umbrella by the door',
    createdAt: '2020-01-01T00:00:00.000Z',
    birthdate: '2001-01-01',
  }),
)('security 29: refuses the field %s, which is outside the profile', async (field, value) => {
  const row = async () => (await app.db.query('SELECT * FROM accounts WHERE id = $1', [ada.id]))[0];
  const before = await row();
  const answer = await patch({ bio: 'still me', [field]: value });
  expect(answer.status).toBe(422);
  expect(answer.body['message']).toBe(`${field} is not a known field`);
  expect(await row()).toEqual(before);
});

test('security 29: returns 4xx for oversized bodies and text that cannot be stored', async () => {
  const raw = async (payload: string) => {
    const response = await app.server.inject({
      method: 'PATCH',
      url: '/user/me',
      headers: { authorization: `Bearer ${ada.accessToken}`, 'content-type': 'application/json' },
      payload,
    });
    return response.statusCode;
  };
  const statuses = await Promise.all([
    raw(`{"bio":"${'x'.repeat(3_000_000)}"}`),
    raw('{"bio":"null byte \\u0000"}'),
    raw('{"name":"lone surrogate \\ud800"}'),
    raw('{"profileLinks":[{"label":"\\udfff","url":"https://ada.example"}]}'),
    raw('{"avatar":"https://ada.example/\\u0000"}'),
    raw('{"__proto__":{"plan":"pro"}}'),
    raw('{"bio":'),
    raw('[]'),
    raw('null'),
    raw(`{"profileLinks":${'['.repeat(5000)}${']'.repeat(5000)}}`),
  ]);
  expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
});
