import { describe, expect, test } from 'vitest';
import { logIn, createPerson, PASSWORD, registrationInput } from './accounts.ts';
import { call, cookieOf, text } from './client.ts';
import { callWithRetries } from './retries.fixture.ts';
import { sharedAtrium } from './shared-atrium.fixture.ts';

const atrium = await sharedAtrium();
const { mailbox } = atrium;
const authUrl = atrium.urls.auth;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const USER_ID = /^usr_[0-9a-hjkmnp-tv-z]{26}$/;

function refresh(cookie: string, device = '') {
  const headers = { cookie: `refreshToken=${cookie}; device=${device}` };
  return callWithRetries('POST', `${authUrl}/auth/refresh`, { headers });
}

describe('register', () => {
  test('returns 201 with a message', async () => {
    const response = await call('POST', `${authUrl}/auth/register`, {
      body: registrationInput('registers'),
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ message: expect.any(String) });
  });

  test('returns 409 when the username is taken', async () => {
    await call('POST', `${authUrl}/auth/register`, { body: registrationInput('registered') });
    const response = await call('POST', `${authUrl}/auth/register`, {
      body: { ...registrationInput('Registered'), email: 'other@example.com' },
    });
    expect(response.status).toBe(409);
    expect(response.body).toEqual({ error: 'Conflict', message: 'Username is already taken' });
  });

  test('returns 422 for an invalid email address', async () => {
    const response = await call('POST', `${authUrl}/auth/register`, {
      body: { ...registrationInput('bademail'), email: 'nobody' },
    });
    expect(response.status).toBe(422);
    expect(response.body).toEqual({
      error: 'Validation Error',
      message: 'Email must be a valid email address',
    });
  });

  test.each(['name', 'username', 'email', 'password', 'birthdate', 'gender'])(
    'without %s the request is bad',
    async (field) => {
      const input = Object.fromEntries(
        Object.entries(registrationInput('lacking')).filter(([name]) => name !== field),
      );
      const response = await call('POST', `${authUrl}/auth/register`, { body: input });
      expect(response.status).toBe(400);
      expect(response.body).toEqual({ error: 'Bad Request', message: expect.stringMatching(/\S/) });
    },
  );

  test('returns one 201 and 9 409 for 10 parallel registrations of one username', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        callWithRetries('POST', `${authUrl}/auth/register`, {
          body: { ...registrationInput('contested'), email: `contested${n}@example.com` },
        }),
      ),
    );
    const statuses = answers.map((response) => response.status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(9);
  });
});

describe('login', () => {
  test('returns the access token, the user and the refresh cookie', async () => {
    const person = await createPerson(authUrl, mailbox, 'loginer');
    const response = await call('POST', `${authUrl}/auth/login`, {
      body: { email: person.email, password: PASSWORD },
    });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      accessToken: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      user: {
        id: expect.stringMatching(USER_ID),
        name: person.name,
        username: person.username,
        email: person.email,
        avatar: null,
        createdAt: expect.stringMatching(TIMESTAMP),
      },
    });
    const cookie = response.headers.getSetCookie().find((line) => line.startsWith('refreshToken='));
    const attributes = cookie?.split('; ').slice(1) ?? [];
    expect(attributes.toSorted()).toEqual(
      ['Max-Age=604800', 'Path=/auth', 'HttpOnly', 'Secure', 'SameSite=Lax'].toSorted(),
    );
  });

  test('issues an access token for 15 minutes', async () => {
    const { accessToken } = await createPerson(authUrl, mailbox, 'lifetime');
    const payload = Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString();
    const claims = JSON.parse(payload) as { exp: number; iat: number };
    expect(claims.exp - claims.iat).toBe(900);
  });

  test('returns the same 401 for a wrong password and an unknown address', async () => {
    const person = await createPerson(authUrl, mailbox, 'wrongpass');
    for (const email of [person.email, 'nobody-here@example.com']) {
      const response = await call('POST', `${authUrl}/auth/login`, {
        body: { email, password: 'not the password' },
      });
      expect(response.status).toBe(401);
      expect(response.body).toEqual({
        error: 'Unauthorized',
        message: 'Invalid email or password',
      });
    }
  });
});

describe('sessions', () => {
  test('refresh returns a new access token and rotates the cookie', async () => {
    const person = await createPerson(authUrl, mailbox, 'refresher');
    const response = await refresh(person.refreshCookie);
    expect(response.status).toBe(200);
    expect(Object.keys(response.body)).toEqual(['accessToken']);
    expect(cookieOf(response, 'refreshToken')).not.toBe(person.refreshCookie);
    const me = await call('GET', `${authUrl}/user/me`, {
      token: text(response.body, 'accessToken'),
    });
    expect(me.status).toBe(200);
  });

  test('20 concurrent refreshes with one cookie return the same successor', async () => {
    const person = await createPerson(authUrl, mailbox, 'twentytabs');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => refresh(person.refreshCookie, person.deviceCookie)),
    );
    expect(answers.map((response) => response.status)).toEqual(
      Array.from({ length: 20 }, () => 200),
    );
    expect(new Set(answers.map((response) => cookieOf(response, 'refreshToken'))).size).toBe(1);
  });

  test('logout clears the cookie and revokes the session', async () => {
    const person = await createPerson(authUrl, mailbox, 'leaver');
    const response = await call('POST', `${authUrl}/auth/logout`, {
      headers: { cookie: `refreshToken=${person.refreshCookie}` },
    });
    expect(response.status).toBe(204);
    expect(cookieOf(response, 'refreshToken')).toBe('');
    expect((await refresh(person.refreshCookie)).status).toBe(401);
  });

  test('GET /user/me returns the current user', async () => {
    const person = await createPerson(authUrl, mailbox, 'itsme');
    const response = await call('GET', `${authUrl}/user/me`, { token: person.accessToken });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      id: person.id,
      name: person.name,
      username: person.username,
      email: person.email,
      bio: '',
      avatar: null,
      profileLinks: [],
      emailVerified: true,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
  });

  test('GET /user/me returns 401 without a token or with an invalid one', async () => {
    for (const options of [{}, { token: 'a.b.c' }]) {
      const response = await call('GET', `${authUrl}/user/me`, options);
      expect(response.status).toBe(401);
      expect(response.body).toEqual({ error: 'Unauthorized', message: expect.any(String) });
    }
  });
});

describe('passwords', () => {
  test('after a reset with the emailed token only the new password works', async () => {
    const person = await createPerson(authUrl, mailbox, 'forgetful');
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

  test('a change requires a token and the current password', async () => {
    const person = await createPerson(authUrl, mailbox, 'changer');
    const url = `${authUrl}/user/change-password`;
    const body = { currentPassword: 'wrong one', newPassword: 'an umbrella by the door' };
    expect((await call('POST', url, { body })).status).toBe(401);
    expect((await call('POST', url, { token: person.accessToken, body })).status).toBe(401);
    const response = await call('POST', url, {
      token: person.accessToken,
      body: { ...body, currentPassword: PASSWORD },
    });
    expect([response.status, Object.keys(response.body)]).toEqual([200, ['message']]);
  });
});
