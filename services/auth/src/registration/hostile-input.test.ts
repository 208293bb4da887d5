import { afterAll, expect, test } from 'vitest';
import { inputOf, PASSWORD, startTestApp } from '../test-app.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

const FIELDS = ['name', 'username', 'email', 'password', 'birthdate', 'gender'] as const;
const PATHS = ['/auth/register', '/auth/login'] as const;
const bodyFor = (path: string, username: string) =>
  path === '/auth/login'
    ? { email: `${username}@example.com`, password: PASSWORD }
    : inputOf(username);

async function post(path: string, payload: string) {
  const headers = { 'content-type': 'application/json' };
  const response = await app.server.inject({ method: 'POST', url: path, headers, payload });
  return { status: response.statusCode, body: response.json<Record<string, unknown>>() };
}

function expectRejection({
  status,
  body,
}: {
  status: number;
  body: Record<string, unknown>;
}): void {
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  expect(body).toEqual({ error: expect.any(String), message: expect.any(String) });
}

test.each([
  ['id', 'usr_00000000000000000000000000'],
  ['plan', 'pro'],
  ['emailVerified', true],
  ['email_verified_at', '2020-01-01T00:00:00.000Z'],
  ['passwordHash', 'x'],
  ['bio', 'chosen'],
  ['role', 'admin'],
])('security 29: registration and login refuse the field %s', async (field, value) => {
  for (const path of PATHS) {
    const body = { ...bodyFor(path, 'ambitious'), [field]: value };
    expect(await post(path, JSON.stringify(body))).toEqual({
      status: 422,
      body: { error: 'Validation Error', message: `${field} is not a known field` },
    });
  }
  expect(await app.db.query("SELECT id FROM accounts WHERE username = 'ambitious'")).toEqual([]);
});

test.each(PATHS)('security 29: %s refuses oversized bodies and fields', async (path) => {
  const body = bodyFor(path, 'oversized');
  for (const field of FIELDS.filter((name) => name in body)) {
    const answer = await post(path, JSON.stringify({ ...body, [field]: 'x'.repeat(10_000) }));
    expectRejection(answer);
    // Before anything is done with it: a password of any length would be hashed, and then be wrong.
    expect([field, answer.status]).toEqual([field, 422]);
  }
  const huge = await post(path, JSON.stringify({ ...body, password: 'x'.repeat(2_000_000) }));
  expect([huge.status, huge.body['error']]).toEqual([413, 'Payload Too Large']);
  expectRejection(await post(path, '['.repeat(500_000)));
  expectRejection(await post(path, `${'['.repeat(50_000)}${']'.repeat(50_000)}`));
});

test.each(PATHS)('security 29: %s refuses NUL and lone surrogates', async (path) => {
  const body = bodyFor(path, 'unstorable');
  for (const field of FIELDS.filter((name) => name in body)) {
    for (const escape of ['\\u0000', '\\ud800', '\\udc00', '\\ud800\\ud800']) {
      const value = `"in the fog ${escape} a lantern"`;
      const json = JSON.stringify({ ...body, [field]: '@' }).replace('"@"', value);
      expectRejection(await post(path, json));
    }
  }
});

test.each(PATHS)('security 29: %s refuses malformed bodies', async (path) => {
  const valid = JSON.stringify(bodyFor(path, 'misshapen'));
  const broken = ['', 'null', '[]', '1', '"text"', '{', valid.slice(0, -1), `${valid}${valid}`];
  const polluted = [
    valid.replace('{', '{"__proto__":{"plan":"pro"},'),
    valid.replace('{', '{"constructor":{"prototype":{"plan":"pro"}},'),
  ];
  for (const payload of [...broken, ...polluted]) {
    expectRejection(await post(path, payload));
  }
  for (const value of [null, 1, true, [], {}, ['x'], { $ne: '' }]) {
    for (const field of FIELDS.filter((name) => name in JSON.parse(valid))) {
      expectRejection(await post(path, JSON.stringify({ ...JSON.parse(valid), [field]: value })));
    }
  }
});
