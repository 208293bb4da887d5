import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { Readable } from 'node:stream';
import { INBOX } from '@atrium/contracts/queues';
import { hash as hashArgon2 } from '@node-rs/argon2';
import { hash as hashBcrypt } from '@node-rs/bcrypt';
import { afterAll, expect, test } from 'vitest';
import { PASSWORD, signIn, startTestApp } from '../test-app.ts';
import { importAccounts, type Rejection } from './import-accounts.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const BIRTHDATE = '1990-05-17';
const bcrypt = await hashBcrypt(PASSWORD, { cost: 4 });

async function run(lines: readonly (string | object)[], chunkBytes = 1000) {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const bytes = Buffer.from(texts.join('\n'));
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const rejections: Rejection[] = [];
  const counts = await importAccounts(Readable.from(chunks), {
    database: app.db,
    plan: 'free',
    clockMs: Date.now,
    signal: new AbortController().signal,
    onBatch: async (_tx, batch) => void rejections.push(...batch.rejections),
  });
  return { counts, rejections };
}

const lineOf = (name: string, changes: object = {}) => ({
  email: `${name}@moved.example`,
  birthdate: BIRTHDATE,
  passwordHash: bcrypt,
  ...changes,
});

async function rowOf(name: string) {
  const [row] = await app.db.query<Record<string, unknown>>(
    `SELECT username, name, password_hash AS hash, external_id AS "externalId", created_at AS "createdAt",
       email_verified_at IS NOT NULL AS "isVerified" FROM accounts WHERE email = $1`,
    [`${name}@moved.example`],
  );
  return row ?? {};
}

const logIn = (name: string, password = PASSWORD) =>
  signIn(app, { username: name, email: `${name}@moved.example`, password });

test('makes accounts that log in with their old passwords, which get hashes of ours', async () => {
  const createdAt = '2019-03-01T10:00:00.000Z';
  const { counts, rejections } = await run([
    lineOf('ada', { name: 'Ada Lovelace', username: 'ada', emailVerified: true, createdAt }),
    lineOf('grace.hopper', { externalId: 'auth0|1' }),
    lineOf('argon', { passwordHash: await hashArgon2(PASSWORD, { memoryCost: 8192 }) }),
  ]);
  expect([counts, rejections]).toEqual([{ created: 3, alreadyThere: 0, rejected: 0 }, []]);
  expect(await rowOf('ada')).toMatchObject({
    username: 'ada',
    name: 'Ada Lovelace',
    hash: bcrypt,
    isVerified: true,
    createdAt: new Date(createdAt),
  });
  expect(await rowOf('grace.hopper')).toMatchObject({
    username: 'grace.hopper',
    name: 'grace.hopper',
    externalId: 'auth0|1',
    isVerified: false,
  });
  const told = await app.db.query(
    `SELECT queue, o.data FROM outbox o JOIN accounts a ON a.id = account_id
     WHERE event = 'account.imported' AND a.username = 'grace.hopper'`,
  );
  expect(told).toEqual([{ queue: INBOX.webhooks, data: { externalId: 'auth0|1' } }]);
  for (const name of ['ada', 'grace.hopper', 'argon']) {
    await expect(logIn(name, 'a wrong password')).rejects.toThrow('401');
    await logIn(name);
    expect((await rowOf(name))['hash']).toMatch(/^\$argon2id\$v=19\$m=19456,/);
    await logIn(name);
  }
});

test('takes the hashes of Django, Better Auth, Keycloak and Firebase as they export them', async () => {
  const firebase = {
    signerKey:
      'jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==',
    saltSeparator: 'Bw==',
    rounds: 8,
    memoryCost: 14,
  };
  const salt = 'c0ffee00c0ffee00c0ffee00c0ffee00';
  const options = { N: 16_384, r: 16, p: 1, maxmem: 2 ** 26 };
  const keycloakSalt = Buffer.from('keycloak salt');
  const { rejections } = await run([
    { settings: { firebase, birthdate: BIRTHDATE } },
    {
      email: 'fire@moved.example',
      passwordHash: {
        algorithm: 'firebase-scrypt',
        salt: '42xEC+ixf3L2lw==',
        hash: 'lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
      },
    },
    lineOf('django-bcrypt', { passwordHash: `bcrypt$${bcrypt}` }),
    lineOf('django-argon2', { passwordHash: `argon2${await hashArgon2(PASSWORD)}` }),
    lineOf('better', {
      passwordHash: {
        algorithm: 'scrypt',
        n: 16_384,
        r: 16,
        p: 1,
        salt,
        saltEncoding: 'utf8',
        hash: scryptSync(PASSWORD, salt, 64, options).toString('hex'),
        encoding: 'hex',
      },
    }),
    lineOf('keycloak', {
      passwordHash: {
        algorithm: 'pbkdf2-sha512',
        iterations: 1000,
        salt: keycloakSalt.toString('base64'),
        hash: pbkdf2Sync(PASSWORD, keycloakSalt, 1000, 64, 'sha512').toString('base64'),
      },
    }),
  ]);
  expect(rejections).toEqual([]);
  await logIn('fire', 'user1password');
  for (const name of ['django-bcrypt', 'django-argon2', 'better', 'keycloak']) await logIn(name);
});

test('without a hash there is no password to log in with, until one is set by email', async () => {
  await run([lineOf('passwordless', { passwordHash: undefined, emailVerified: true })]);
  const email = 'passwordless@moved.example';
  await expect(logIn('passwordless', 'nobody knows it at all')).rejects.toThrow('401');
  await app.call('POST', '/auth/forgot-password', { body: { email } });
  const token = await app.emailToken(email, 'reset-password');
  await app.call('POST', `/auth/reset-password/${token}`, { body: { password: PASSWORD } });
  await logIn('passwordless');
});

test('again it makes no doubles, by email address or by external id, and changes nothing', async () => {
  const lines = [
    lineOf('twice'),
    lineOf('TWICE'),
    lineOf('known', { externalId: 'x-1' }),
    lineOf('moved-since', { externalId: 'x-1' }),
  ];
  expect((await run(lines)).counts).toEqual({ created: 2, alreadyThere: 2, rejected: 0 });
  await logIn('twice');
  const before = await rowOf('twice');
  expect((await run(lines)).counts).toEqual({ created: 0, alreadyThere: 4, rejected: 0 });
  expect(await rowOf('twice')).toEqual(before);
});

test('an account that another person has registered is never taken over', async () => {
  await run([lineOf('first', { externalId: 'x-2' })]);
  const { rejections } = await run([lineOf('first', { externalId: 'x-3' })]);
  expect(rejections).toMatchObject([{ line: 1, field: 'email', email: 'first@moved.example' }]);
  expect(await rowOf('first')).toMatchObject({ externalId: 'x-2' });
});

test('usernames: a taken one is reported, one made from the email address gives way', async () => {
  await run([lineOf('same', { username: 'same' })]);
  const { counts, rejections } = await run([
    lineOf('other', { username: 'Same' }),
    { ...lineOf('x'), email: 'same@other.example' },
    { ...lineOf('x'), email: 'ä@moved.example.com' },
    { ...lineOf('x'), email: "o'neil+tag@moved.example" },
  ]);
  expect(rejections).toEqual([
    { line: 1, field: 'username', message: 'Same is taken', email: 'other@moved.example' },
    expect.objectContaining({ line: 3, field: 'email' }),
  ]);
  expect(counts.created).toBe(2);
  const rows = await app.db.query<{ username: string }>(
    `SELECT username FROM accounts WHERE email IN ('same@other.example', 'o''neil+tag@moved.example')
     ORDER BY email`,
  );
  expect(rows.map(({ username }) => username)).toEqual([
    'oneiltag',
    expect.stringMatching(/^same-[0-9a-f]{8}$/),
  ]);
});

test('reports each bad line with its number and field, and makes the others', async () => {
  const { counts, rejections } = await run([
    lineOf('good-1'),
    '',
    'not json',
    '[]',
    'null',
    `"${'x'.repeat(70_000)}"`,
    lineOf('turned', { name: 'a\u202Eb' }),
    lineOf('number', { email: 7 }),
    lineOf('spaces', { email: ' spaces@moved.example ' }),
    lineOf('typo', { emailVerifed: true }),
    lineOf('unborn', { birthdate: '2190-01-01' }),
    lineOf('ageless', { birthdate: undefined }),
    lineOf('zoned', { createdAt: '2020-01-01T00:00:00Z[UTC]' }),
    lineOf('leaping', { createdAt: '2016-12-31T23:59:60Z' }),
    lineOf('early', { createdAt: '2190-01-01T00:00:00Z' }),
    lineOf('md5', { passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' }),
    lineOf('costly', { passwordHash: bcrypt.replace('$04$', '$15$') }),
    lineOf('fire', { passwordHash: { algorithm: 'firebase-scrypt', salt: 'eA==', hash: 'eA==' } }),
    { settings: { colour: 'red' } },
    lineOf('good-2'),
  ]);
  expect(counts).toEqual({ created: 2, alreadyThere: 0, rejected: 17 });
  expect(rejections.map(({ line, field }) => [line, field])).toEqual([
    [3, ''],
    [4, ''],
    [5, ''],
    [6, ''],
    [7, 'name'],
    [8, 'email'],
    [9, 'email'],
    [10, 'emailVerifed'],
    [11, 'birthdate'],
    [12, 'birthdate'],
    [13, 'createdAt'],
    [14, 'createdAt'],
    [15, 'createdAt'],
    [16, 'passwordHash'],
    [17, 'passwordHash'],
    [18, 'passwordHash'],
    [19, 'settings.colour'],
  ]);
});

test('a file that is cut off makes what is whole, and the rest when it is there', async () => {
  const lines = Array.from({ length: 2100 }, (_, index) => JSON.stringify(lineOf(`many-${index}`)));
  const cut = [...lines.slice(0, 1500), lines[1500]?.slice(0, 20) ?? ''];
  expect((await run(cut, 64 * 1024)).counts).toEqual({
    created: 1500,
    alreadyThere: 0,
    rejected: 1,
  });
  expect((await run(lines, 7)).counts).toEqual({ created: 600, alreadyThere: 1500, rejected: 0 });
});

test('parallel logins with an imported hash all succeed', async () => {
  await run([lineOf('parallel')]);
  await Promise.all(Array.from({ length: 5 }, () => logIn('parallel')));
});
