import { afterAll, describe, expect, test } from 'vitest';
import { logIn, makePerson, PASSWORD, personsInput } from './accounts.ts';
import { call, cookieOf, text } from './client.ts';
import { callWithRetries } from './retries.fixture.ts';
import { startAtrium } from './atrium.ts';

const atrium = await startAtrium();
afterAll(() => atrium[Symbol.asyncDispose]());
const { mailbox } = atrium;
const authUrl = atrium.urls.auth;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const USER_ID = /^usr_[0-9a-hjkmnp-tv-z]{26}$/;

function refresh(cookie: string) {
  const headers = { cookie: `refreshToken=${cookie}` };
  return callWithRetries('POST', `${authUrl}/auth/refresh`, { headers });
}

describe('register', () => {
  test('answers 201 with a message', async () => {
    const answer = await call('POST', `${authUrl}/auth/register`, {
      body: personsInput('registers'),
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: expect.any(String) });
  });

  test('an existing username is a conflict', async () => {
    await call('POST', `${authUrl}/auth/register`, { body: personsInput('taken') });
    const answer = await call('POST', `${authUrl}/auth/register`, {
      body: { ...personsInput('Taken'), email: 'other@example.com' },
    });
    expect(answer.status).toBe(409);
    expect(answer.body).toEqual({ error: 'Conflict', message: 'Username is already taken' });
  });

  test('a bad e-mail address is a validation error', async () => {
    const answer = await call('POST', `${authUrl}/auth/register`, {
      body: { ...personsInput('bademail'), email: 'nobody' },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({
      error: 'Validation Error',
      message: 'Email must be a valid email address',
    });
  });

  test.each(['name', 'username', 'email', 'password', 'birthdate', 'gender'])(
    'without %s the request is bad',
    async (field) => {
      const input = Object.fromEntries(
        Object.entries(personsInput('lacking')).filter(([name]) => name !== field),
      );
      const answer = await call('POST', `${authUrl}/auth/register`, { body: input });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ error: 'Bad Request', message: expect.stringMatching(/\S/) });
    },
  );

  test('50 parallel registrations of one username: one 201, 49 409', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        callWithRetries('POST', `${authUrl}/auth/register`, {
          body: { ...personsInput('contested'), email: `contested${n}@example.com` },
        }),
      ),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(49);
  });
});

describe('login', () => {
  test('answers the access token, the user and the refresh cookie', async () => {
    const person = await makePerson(authUrl, mailbox, 'loginer');
    const answer = await call('POST', `${authUrl}/auth/login`, {
      body: { email: person.email, password: PASSWORD },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id: expect.stringMatching(USER_ID),
        name: person.name,
        username: 'loginer',
        email: person.email,
        avatar: null,
        createdAt: expect.stringMatching(TIMESTAMP),
      },
    });
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('refreshToken='));
    const attributes = cookie?.split('; ').slice(1) ?? [];
    expect(attributes.toSorted()).toEqual(
      ['Max-Age=604800', 'Path=/auth', 'HttpOnly', 'Secure', 'SameSite=Lax'].toSorted(),
    );
  });

  test('the access token lives 15 minutes', async () => {
    const { accessToken } = await makePerson(authUrl, mailbox, 'lifetime');
    const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
    const claims = JSON.parse(payload) as { exp: number; iat: number };
    expect(claims.exp - claims.iat).toBe(900);
  });

  test('a wrong password and an unknown address get the same answer', async () => {
    const person = await makePerson(authUrl, mailbox, 'wrongpass');
    for (const email of [person.email, 'nobody-here@example.com']) {
      const answer = await call('POST', `${authUrl}/auth/login`, {
        body: { email, password: 'not the password' },
      });
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({
        error: 'Unauthorized',
        message: 'Invalid email or password',
      });
    }
  });
});

describe('sessions', () => {
  test('refresh answers a new access token, and the cookie rotates', async () => {
    const person = await makePerson(authUrl, mailbox, 'refresher');
    const answer = await refresh(person.refreshCookie);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body)).toEqual(['accessToken']);
    expect(cookieOf(answer, 'refreshToken')).not.toBe(person.refreshCookie);
    const me = await call('GET', `${authUrl}/user/me`, { token: text(answer.body, 'accessToken') });
    expect(me.status).toBe(200);
  });

  test('20 concurrent refreshes with one cookie: all 200, one and the same successor', async () => {
    const person = await makePerson(authUrl, mailbox, 'twentytabs');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(person.refreshCookie)),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map((answer) => cookieOf(answer, 'refreshToken'))).size).toBe(1);
  });

  test('logout clears the cookie and ends the session', async () => {
    const person = await makePerson(authUrl, mailbox, 'leaver');
    const answer = await call('POST', `${authUrl}/auth/logout`, {
      headers: { cookie: `refreshToken=${person.refreshCookie}` },
    });
    expect(answer.status).toBe(204);
    expect(cookieOf(answer, 'refreshToken')).toBe('');
    expect((await refresh(person.refreshCookie)).status).toBe(401);
  });

  test('me answers the current user', async () => {
    const person = await makePerson(authUrl, mailbox, 'itsme');
    const answer = await call('GET', `${authUrl}/user/me`, { token: person.accessToken });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: person.id,
      name: person.name,
      username: 'itsme',
      email: person.email,
      bio: '',
      avatar: null,
      profileLinks: [],
      emailVerified: true,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  test('me without a token, and with a broken one, is 401', async () => {
    for (const options of [{}, { token: 'a.b.c' }]) {
      const answer = await call('GET', `${authUrl}/user/me`, options);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ error: 'Unauthorized', message: expect.any(String) });
    }
  });
});

describe('passwords', () => {
  test('forgot, then reset with the mailed token: the new password works, the old does not', async () => {
    const person = await makePerson(authUrl, mailbox, 'forgetful');
    const asked = await call('POST', `${authUrl}/auth/forgot-password`, {
      body: { email: person.email },
    });
    const unknown = await call('POST', `${authUrl}/auth/forgot-password`, {
      body: { email: 'nobody-here@example.com' },
    });
    expect([asked.status, asked.body]).toEqual([202, unknown.body]);

    const mail = await mailbox.waitFor(
      (message) => message.to.includes(person.email) && message.text.includes('/reset-password/'),
    );
    const token = /\/reset-password\/([\w-]+)/.exec(mail.text)?.[1] ?? '';
    const reset = () =>
      call('POST', `${authUrl}/auth/reset-password/${token}`, {
        body: { password: 'an umbrella by the door' },
      });
    expect((await reset()).status).toBe(200);
    expect((await reset()).status).toBeGreaterThanOrEqual(400);
    expect((await refresh(person.refreshCookie)).status).toBe(401);
    await expect(logIn(authUrl, person)).rejects.toThrow('Invalid email or password');
    await logIn(authUrl, { email: person.email, password: 'an umbrella by the door' });
  });

  test('change needs a token and the current password', async () => {
    const person = await makePerson(authUrl, mailbox, 'changer');
    const url = `${authUrl}/user/change-password`;
    const body = { currentPassword: 'wrong one', newPassword: 'an umbrella by the door' };
    expect((await call('POST', url, { body })).status).toBe(401);
    expect((await call('POST', url, { token: person.accessToken, body })).status).toBe(401);
    const answer = await call('POST', url, {
      token: person.accessToken,
      body: { ...body, currentPassword: PASSWORD },
    });
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ['message']]);
  });
});
