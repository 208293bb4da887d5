import { hash } from '@node-rs/argon2';
import { afterAll, expect, test } from 'vitest';
import { inputOf, makeAccount, PASSWORD, signIn, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const CURRENT_FORM = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/;
const register = (username: string, password: string) =>
  app.call('POST', '/auth/register', { body: { ...inputOf(username), password } });

async function storedHash(username: string): Promise<string> {
  const [row] = await app.db.query<{ hash: string }>(
    'SELECT password_hash AS hash FROM accounts WHERE username = $1',
    [username],
  );
  return row?.hash ?? '';
}

async function weaken(username: string): Promise<string> {
  const weak = await hash(PASSWORD, { memoryCost: 8192, timeCost: 1, parallelism: 1 });
  await app.db.query('UPDATE accounts SET password_hash = $2 WHERE username = $1', [
    username,
    weak,
  ]);
  return weak;
}

test('security 1: a stored hash is argon2id with our parameters, and salted', async () => {
  await register('hashed', PASSWORD);
  await register('hashedtoo', PASSWORD);
  const hashes = [await storedHash('hashed'), await storedHash('hashedtoo')];
  for (const one of hashes) {
    expect(one).toMatch(CURRENT_FORM);
  }
  expect(hashes[0]).not.toBe(hashes[1]);
});

test('security 1: a login upgrades a hash made with other parameters, a failed one does not', async () => {
  const account = await makeAccount(app, 'weakened');
  const weak = await weaken('weakened');
  await expect(signIn(app, { ...account, password: 'wrong' })).rejects.toThrow('401');
  expect(await storedHash('weakened')).toBe(weak);
  await signIn(app, account);
  const upgraded = await storedHash('weakened');
  expect(upgraded).toMatch(CURRENT_FORM);
  await signIn(app, account);
  expect(await storedHash('weakened')).toBe(upgraded);
});

test('security 1: parallel logins with an old hash all succeed', async () => {
  const account = await makeAccount(app, 'weakparallel');
  await weaken('weakparallel');
  await Promise.all(Array.from({ length: 6 }, () => signIn(app, account)));
  expect(await storedHash('weakparallel')).toMatch(CURRENT_FORM);
});

test('security 2: refuses 7 characters, however many bytes they have', async () => {
  for (const password of ['seven77', '🔑🔑🔑🔑🔑🔑🔑', 'e\u0301'.repeat(7)]) {
    const answer = await register('tooshort', password);
    expect([answer.status, answer.headers['error-code'], answer.body['message']]).toEqual([
      422,
      'password-too-short',
      'Password must be at least 8 characters long',
    ]);
  }
});

test.each([
  ['long', 'many words make a password that is long and that nobody can guess'],
  ['spaced', '   lots   of   room   '],
  ['unicode', 'Пароль из снега ❄ и 灯籠'],
  ['letters', 'nothingbutletters'],
  ['longest', 'x'.repeat(127) + 'y'],
])('security 2: accepts and verifies a password that is %s', async (kind, password) => {
  const username = `owner_of_${kind}`;
  expect((await register(username, password)).status).toBe(201);
  await signIn(app, { ...inputOf(username), password });
});

test('security 2: the last of 128 characters counts', async () => {
  const start = 'abcdefghijklmnop'.repeat(8).slice(0, 127);
  expect((await register('lastone', `${start}y`)).status).toBe(201);
  const account = inputOf('lastone');
  await expect(signIn(app, { ...account, password: `${start}z` })).rejects.toThrow('401');
  await expect(signIn(app, { ...account, password: start })).rejects.toThrow('401');
  await signIn(app, { ...account, password: `${start}y` });
});

test('security 2: keeps case and outer spaces of a password', async () => {
  await register('exact', ' A lantern in the fog ');
  const account = inputOf('exact');
  for (const password of [
    ' a lantern in the fog ',
    'A lantern in the fog',
    ' A lantern in the fog',
  ]) {
    await expect(signIn(app, { ...account, password })).rejects.toThrow('401');
  }
  await signIn(app, { ...account, password: ' A lantern in the fog ' });
});
