import { afterAll, describe, expect, test } from 'vitest';
import { inputOf, makeAccount, PASSWORD, signIn, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const register = (body: object) => app.call('POST', '/auth/register', { body });

describe('register', () => {
  test('returns 201 and mails a verification link as text and HTML', async () => {
    const answer = await register(inputOf('newcomer'));
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({ message: expect.any(String) });
    const mail = await app.mailbox.waitFor((one) => one.to.includes('newcomer@example.com'));
    expect(mail.text).toMatch(/https:\/\/web\.example\/verify-email\/[\w-]{43}/);
    expect(mail.html).toMatch(/href="https:\/\/web\.example\/verify-email\/[\w-]{43}"/);
  });

  test('verifies the address on the way to the invitation that led here', async () => {
    const invitation = 'i'.repeat(43);
    await register({ ...inputOf('invited'), invitation });
    const mail = await app.mailbox.waitFor((one) => one.to.includes('invited@example.com'));
    expect(mail.text).toMatch(/\/verify-email\/[\w-]{43}\?invitation=i{43}\s/);
    const answer = await register({ ...inputOf('lured'), invitation: '/elsewhere' });
    expect(answer.status).toBe(422);
  });

  test('keeps the invitation for emails that are sent again, encrypted and until it expires', async () => {
    const invitation = 'k'.repeat(43);
    const account = { ...inputOf('forgetful'), invitation };
    await register(account);
    const { accessToken: token } = await signIn(app, account);
    const sendAgain = async (count: number) => {
      await app.call('POST', '/auth/verify-email', { token });
      await app.emailToken(account.email, 'verify-email', count);
      return app.mailbox.messages.findLast((mail) => mail.to.includes(account.email))?.text;
    };
    const kept = async () => {
      const query = 'SELECT invitation FROM accounts WHERE email = $1';
      return (await app.db.query<{ invitation: string | null }>(query, [account.email]))[0];
    };
    expect((await kept())?.invitation).not.toContain(invitation);
    expect(await sendAgain(2)).toContain(`?invitation=${invitation}`);
    expect(await sendAgain(3)).toContain(`?invitation=${invitation}`);
    await app.db.query(
      `UPDATE accounts SET created_at = created_at - interval '7 days' WHERE email = $1`,
      [account.email],
    );
    expect(await sendAgain(4)).not.toContain('invitation=');
    const emailToken = await app.emailToken(account.email, 'verify-email', 4);
    await app.call('POST', `/auth/verify-email/${emailToken}`, { token });
    expect(await kept()).toEqual({ invitation: null });
  });

  test('returns 409 when the username is taken, ignoring case', async () => {
    await register(inputOf('Grace'));
    const answer = await register({ ...inputOf('gRACE'), email: 'grace2@example.com' });
    expect([answer.status, answer.body]).toEqual([
      409,
      { error: 'Conflict', message: 'Username is already taken' },
    ]);
  });

  test('answers a taken address like a new one and mails its owner', async () => {
    const first = await register(inputOf('owner'));
    const second = await register({ ...inputOf('intruder'), email: 'OWNER@example.com' });
    expect([second.status, second.body]).toEqual([201, first.body]);
    await app.mailbox.waitFor(
      (mail) => mail.to.includes('owner@example.com') && mail.subject.includes('already'),
    );
    const rows = await app.db.query(`SELECT 1 FROM accounts WHERE username = 'intruder'`);
    expect(rows).toEqual([]);
  });

  test.each([
    ['email', 'nobody', 'Email must be a valid email address'],
    ['password', 'short', 'Password must be at least 8 characters long'],
    ['password', 'Password123', 'Password is one of the most common passwords'],
    ['password', 'xxFAULTYxx', 'Password must not contain the username or the email name'],
    ['birthdate', '2023-02-29', 'Birthdate must be a valid date in the form YYYY-MM-DD'],
    ['birthdate', '2999-01-01', 'Birthdate must not be in the future'],
    ['birthdate', '0000-01-01', 'Birthdate must not be before 1900'],
    ['name', '   ', 'Name must be one line of visible characters'],
    ['name', 'Ada\nLovelace', 'Name must be one line of visible characters'],
    ['name', '\u202Eada', 'Name must be one line of visible characters'],
    ['gender', 'unknown', 'Gender must be one of: female, male, other, unspecified'],
    ['username', 'a b', expect.stringMatching(/^Username /)],
  ])('%s %j is not valid', async (field, value, message) => {
    const answer = await register({ ...inputOf('faulty'), [field]: value });
    expect([answer.status, answer.body]).toEqual([422, { error: 'Validation Error', message }]);
  });

  test.each(['name', 'username', 'email', 'password', 'birthdate', 'gender'])(
    'without %s, or with a number for it, the request is bad',
    async (field) => {
      const input: Record<string, unknown> = inputOf('lacking');
      const wrong = await register({ ...input, [field]: 1 });
      delete input[field];
      const missing = await register(input);
      expect([wrong.status, missing.status]).toEqual([400, 400]);
      expect(missing.body['error']).toBe('Bad Request');
    },
  );

  test('returns one 201 and 49 409 for 50 parallel registrations of one username', async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        register({ ...inputOf('contested'), email: `contested${n}@example.org` }),
      ),
    );
    const statuses = answers.map((answer) => answer.status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
  });

  test('stores neither the password nor the email token in plain text', async () => {
    await register(inputOf('secretive'));
    const token = await app.emailToken('secretive@example.com', 'verify-email');
    const dump = JSON.stringify(
      await Promise.all(
        ['accounts', 'email_tokens', 'email_messages'].map((table) =>
          app.db.query(`SELECT t::text FROM ${table} t`),
        ),
      ),
    );
    expect(dump).toContain('$argon2id$v=19$m=19456,t=2,p=1$');
    expect(dump).not.toContain(PASSWORD);
    expect(dump).not.toContain(token);
  });
});

describe('me', () => {
  test('returns exactly the fields of the current user', async () => {
    const account = await makeAccount(app, 'itsme');
    const answer = await app.call('GET', '/user/me', { token: account.accessToken });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      id: account.id,
      name: 'Ada Lovelace',
      username: 'itsme',
      email: 'itsme@example.com',
      bio: '',
      avatar: null,
      profileLinks: [],
      emailVerified: false,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('returns 401 without a valid token', async () => {
    const account = await makeAccount(app, 'stale');
    const missing = await app.call('GET', '/user/me');
    const broken = await app.call('GET', '/user/me', { token: `${account.accessToken}x` });
    app.clock.advanceMs = 900_000;
    const expired = await app.call('GET', '/user/me', { token: account.accessToken });
    app.clock.advanceMs = 0;
    expect([missing, broken, expired].map(({ status, body }) => [status, body])).toEqual([
      [401, { error: 'Unauthorized', message: 'Authentication required' }],
      [401, { error: 'Unauthorized', message: 'Invalid token' }],
      [401, { error: 'Unauthorized', message: 'Token expired' }],
    ]);
  });
});
