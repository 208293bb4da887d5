import { afterAll, expect, test } from 'vitest';
import { inputOf, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const RESERVED_MS = 30 * 86_400_000;
const register = async (username: string, email: string) => {
  const answer = await app.call('POST', '/auth/register', {
    body: { ...inputOf(username), email },
  });
  return [answer.status, answer.body['message'] ?? ''];
};
const statuses = (answers: unknown[][]) =>
  answers.map(([status]) => Number(status)).toSorted((a, b) => a - b);
const oneOf = (count: number) => [201, ...Array.from({ length: count - 1 }, () => 409)];
const times = <T>(count: number, make: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => make(n)));

await register('landlord', 'landlord@example.com');

test('security 6: repeating a registration does not reveal whether the address was taken', async () => {
  const seen = [];
  for (const [username, email] of [
    ['probe_fresh', 'unheard@example.com'],
    ['probe_taken', 'landlord@example.com'],
  ] as const) {
    seen.push([
      await register(username, email),
      await register(username, email),
      await register(username.toUpperCase(), `another-${username}@example.com`),
    ]);
  }
  expect(seen[1]).toEqual(seen[0]);
  expect(statuses(seen[0] ?? [])).toEqual(oneOf(3));
});

test('security 6: parallel registrations do not reveal it either', async () => {
  const fresh = await times(10, () => register('crowd_fresh', 'crowd@example.com'));
  const taken = await times(10, () => register('crowd_taken', 'landlord@example.com'));
  expect(statuses(fresh)).toEqual(oneOf(10));
  expect(statuses(taken)).toEqual(oneOf(10));
  const mixed = await times(10, (n) =>
    register('crowd_mixed', n % 2 === 0 ? 'landlord@example.com' : `crowd${n}@example.com`),
  );
  expect(statuses(mixed)).toEqual(oneOf(10));
});

test('security 6: a username stays unique under 50 parallel registrations, ignoring case', async () => {
  const answers = await times(50, (n) =>
    register(n % 2 === 0 ? 'contested' : 'CONTESTED', `contested${n}@example.org`),
  );
  expect(statuses(answers)).toEqual(oneOf(50));
  expect(new Set(answers.map(([, message]) => message)).has('Username is already taken')).toBe(
    true,
  );
});

test('security 6: an address gets one account under parallel registrations, ignoring case', async () => {
  const answers = await times(20, (n) =>
    register(`household_${n}`, n % 2 === 0 ? 'household@example.com' : 'HOUSEHOLD@Example.com'),
  );
  expect(statuses(answers)).toEqual(Array.from({ length: 20 }, () => 201));
  const rows = await app.db.query(
    `SELECT 1 FROM accounts WHERE lower(email) = 'household@example.com'`,
  );
  expect(rows).toHaveLength(1);
});

test.each([
  'Landlord',
  'LANDLORD',
  'ｌａｎｄｌｏｒｄ',
  'lаndlord',
  'landlörd',
  'landlord\u200b',
  'landlord ',
])('security 6: the variant %j of a taken username is refused', async (variant) => {
  const [status] = await register(variant, 'variant@example.com');
  expect([409, 422]).toContain(status);
  const rows = await app.db.query(`SELECT 1 FROM accounts WHERE email = 'variant@example.com'`);
  expect(rows).toEqual([]);
});

test('a reserved username is free after 30 days, and its row is deleted', async () => {
  await register('patience', 'landlord@example.com');
  app.clock.advanceMs = RESERVED_MS - 60_000;
  expect((await register('patience', 'patience@example.com'))[0]).toBe(409);
  app.clock.advanceMs = RESERVED_MS + 60_000;
  expect((await register('patience', 'patience@example.com'))[0]).toBe(201);
  await register('somebody_else', 'landlord@example.com');
  const rows = await app.db.query<{ username: string }>('SELECT username FROM reserved_usernames');
  expect(rows).toEqual([{ username: 'somebody_else' }]);
  app.clock.advanceMs = 0;
});
