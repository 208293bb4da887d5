import { afterEach, beforeEach, expect, it } from 'vitest';
import { claims, startKeyServer, type KeyServer } from '../../test/key-server.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import { createLocalRateLimiter } from '../rate-limit/rate-limit.ts';
import { accountOf, createAuthenticator, createKeySet } from './authentication.ts';
import { newPersonalToken } from './personal-tokens.ts';

let keyServer: KeyServer;
let app: TestServer;
let nowMs: number;
const revoked = new Set<string>();
/** Access tokens of personal ones, and those that were asked for. */
const personal = new Map<string, () => string>();
const exchanged: string[] = [];

beforeEach(async () => {
  nowMs = Date.now();
  revoked.clear();
  personal.clear();
  exchanged.length = 0;
  keyServer = await startKeyServer();
  keyServer.addKey('one');
  const clockMs = () => nowMs;
  const { authenticate: onRequest } = createAuthenticator({
    keySet: createKeySet({ url: keyServer.url, clockMs }),
    clockMs,
    product: 'notes',
    exchange: async (sent) => {
      exchanged.push(sent);
      return personal.get(sent)?.();
    },
    isRevoked: (sessionId) => revoked.has(sessionId),
    limiter: createLocalRateLimiter(clockMs),
  });
  app = await startTestServer((server) => {
    server.get('/me', { onRequest }, (request) => accountOf(request));
    server.post('/notes', { onRequest }, () => ({}));
    const config = { scope: 'session' } as const;
    server.post('/password', { config, onRequest }, () => ({}));
  });
});

afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await keyServer[Symbol.asyncDispose]();
});

async function me(authorization: string): Promise<[number, unknown]> {
  const answer = await fetch(`${app.origin}/me`, { headers: { authorization } });
  return [answer.status, await answer.json()];
}

const token = (changes?: Record<string, unknown>) => keyServer.sign('one', claims(nowMs, changes));
const invalid = [401, { error: 'Unauthorized', message: 'Invalid token' }];

const scope = 'notes:read';
const make = (changes: Record<string, unknown> = {}) => {
  const made = newPersonalToken();
  personal.set(made, () => token({ sub: 'usr_1', sid: 'pat_1', scope, ...changes }));
  return made;
};

it('is exchanged once for as long as its access token lasts', async () => {
  await me(`Bearer ${token()}`);
  const bearer = `Bearer ${make()}`;
  const answers = await Promise.all([me(bearer), me(bearer), me(bearer)]);
  expect(answers.map(([status]) => status)).toEqual([200, 200, 200]);
  expect(answers[0]?.[1]).toMatchObject({ id: 'usr_1', sessionId: 'pat_1', scopes: [scope] });
  nowMs += 899_000;
  expect((await me(bearer))[0]).toBe(200);
  expect(exchanged).toHaveLength(1);
  nowMs += 1000;
  expect((await me(bearer))[0]).toBe(200);
  expect(exchanged).toHaveLength(2);
});

it('is rejected once it is revoked, even if it was accepted before', async () => {
  const bearer = `Bearer ${make()}`;
  expect((await me(bearer))[0]).toBe(200);
  revoked.add('pat_1');
  expect(await me(bearer)).toEqual(invalid);
});

it('is not asked for when it is misspelt, and once when it is unknown', async () => {
  const unknown = newPersonalToken();
  for (let times = 0; times < 3; times += 1) {
    expect(await me(`Bearer ${unknown}`)).toEqual(invalid);
  }
  const misspelt = unknown.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  expect(await me(`Bearer ${misspelt}`)).toEqual(invalid);
  expect(exchanged).toEqual([unknown]);
});

it('is not asked for after 60 new ones of its IP address, except when it is known already', async () => {
  // The first key empties the cache.
  await me(`Bearer ${token()}`);
  const known = `Bearer ${make()}`;
  expect((await me(known))[0]).toBe(200);
  const statuses: number[] = [];
  for (let times = 0; times < 60; times += 1) {
    const [status] = await me(`Bearer ${newPersonalToken()}`);
    statuses.push(status);
  }
  expect(statuses).toEqual([...Array.from({ length: 59 }, () => 401), 429]);
  expect((await me(known))[0]).toBe(200);
  expect(exchanged).toHaveLength(60);
  nowMs += 1000;
  expect((await me(`Bearer ${make()}`))[0]).toBe(200);
});

it('allows what its scopes say, and never what needs a session', async () => {
  const post = async (path: string, scopes: string) => {
    const headers = { authorization: `Bearer ${make({ scope: scopes })}` };
    return fetch(app.origin + path, { method: 'POST', headers });
  };
  expect((await post('/notes', 'notes:read notes:write')).status).toBe(200);
  const reader = await post('/notes', 'notes:read links:write');
  expect([reader.status, reader.headers.get('error-code')]).toEqual([403, 'insufficient-scope']);
  expect(reader.headers.get('www-authenticate')).toBe(
    'Bearer error="insufficient_scope", scope="notes:write"',
  );
  expect(await reader.json()).toMatchObject({ message: 'The token lacks the scope notes:write' });
  const changer = await post('/password', 'notes:read notes:write');
  expect([changer.status, await changer.json()]).toMatchObject([
    403,
    { message: 'Only the token of a login can do this' },
  ]);
});
