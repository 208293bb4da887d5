import { createHmac } from 'node:crypto';
import { until } from '@atrium/testkit/until';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claims, startKeyServer, type KeyServer } from '../../test/key-server.ts';
import { startTestServer, type TestServer } from '../../test/test-server.ts';
import {
  accountOf,
  createAuthenticator,
  createKeySet,
  requireOperatorRole,
  requireVerifiedEmail,
} from './authentication.ts';

let keyServer: KeyServer;
let app: TestServer;
let nowMs: number;
let keySet: ReturnType<typeof createKeySet>;
const revoked = new Set<string>();

beforeEach(async () => {
  nowMs = Date.now();
  revoked.clear();
  keyServer = await startKeyServer();
  keyServer.addKey('one');
  const clockMs = () => nowMs;
  keySet = createKeySet({ url: keyServer.url, clockMs });
  const { authenticate: onRequest } = createAuthenticator({
    keySet,
    clockMs,
    exchange: async () => undefined,
    isRevoked: (sessionId) => revoked.has(sessionId),
  });
  app = await startTestServer((server) => {
    server.get('/me', { onRequest }, (request) => accountOf(request));
    server.get('/operator', { onRequest: [onRequest, requireOperatorRole] }, () => ({}));
    server.get('/open', (request) => accountOf(request));
    server.post('/sensitive', { onRequest, preHandler: requireVerifiedEmail }, () => ({
      ok: true,
    }));
  });
});

afterEach(async () => {
  await app[Symbol.asyncDispose]();
  await keyServer[Symbol.asyncDispose]();
});

async function me(authorization?: string): Promise<[number, unknown]> {
  const headers = authorization === undefined ? undefined : { authorization };
  const answer = await fetch(`${app.origin}/me`, headers === undefined ? {} : { headers });
  return [answer.status, await answer.json()];
}

const token = (changes?: Record<string, unknown>) => keyServer.sign('one', claims(nowMs, changes));
const refused = (message: string) => [401, { error: 'Unauthorized', message }];

describe('an access token', () => {
  it('sets the account of the request from its claims', async () => {
    const bearer = token({ sub: 'usr_1', sid: 'ses_1', plan: 'pro', ev: false });
    const account = {
      id: 'usr_1',
      sessionId: 'ses_1',
      plan: 'pro',
      emailVerified: false,
      scopes: null,
      applicationId: null,
    };
    const expected = [200, { ...account, isOperator: false, expiresAtMs: expect.any(Number) }];
    expect(await me(`Bearer ${bearer}`)).toEqual(expected);
    expect(await me(`bearer ${bearer}`)).toEqual(expected);
  });

  it('returns 401 when it is missing', async () => {
    expect(await me()).toEqual(refused('Authentication required'));
    const answer = await fetch(`${app.origin}/me`);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    const open = await fetch(`${app.origin}/open`);
    expect([open.status, await open.json()]).toEqual(refused('Authentication required'));
  });

  it('security 20: is rejected once it has expired, even if it was accepted before', async () => {
    const bearer = `Bearer ${token()}`;
    expect((await me(bearer))[0]).toBe(200);
    nowMs += 899_000;
    expect((await me(bearer))[0]).toBe(200);
    nowMs += 1000;
    expect(await me(bearer)).toEqual(refused('Token expired'));
    expect(await me(`Bearer ${token({ exp: Math.floor(nowMs / 1000) - 1 })}`)).toEqual(
      refused('Token expired'),
    );
  });

  it('security 19: is rejected once its session is revoked, even if it was accepted before', async () => {
    const bearer = `Bearer ${token({ sid: 'ses_gone' })}`;
    expect((await me(bearer))[0]).toBe(200);
    revoked.add('ses_gone');
    expect(await me(bearer)).toEqual(refused('Invalid token'));
  });

  it('security 20: is rejected when any part of it is wrong', async () => {
    const good = token();
    const [head = '', body = '', signature = ''] = good.split('.');
    const noneHead = Buffer.from('{"alg":"none","typ":"at+jwt","kid":"one"}').toString('base64url');
    const none = `${noneHead}.${body}.`;
    // The classic confusion: the public key, which everybody has, used as an HMAC secret.
    const confusedHead = Buffer.from('{"alg":"HS256","typ":"at+jwt","kid":"one"}').toString(
      'base64url',
    );
    const mac = createHmac('sha256', keyServer.publicPem('one'))
      .update(`${confusedHead}.${body}`)
      .digest('base64url');
    // Validly signed by a key that the header itself brings along.
    keyServer.addKey('own');
    const own = keyServer.sign('own', claims(nowMs), { jku: keyServer.url });
    keyServer.removeKey('own');
    const bad = [
      'Basic abc',
      'Bearer',
      'Bearer not-a-token',
      `Bearer ${good}x`,
      `Bearer ${head}.${Buffer.from('{}').toString('base64url')}.${signature}`,
      `Bearer ${head}.${body}.`,
      `Bearer ${none}`,
      `Bearer ${confusedHead}.${body}.${mac}`,
      `Bearer ${own}`,
      `Bearer ${keyServer.sign('one', claims(nowMs), { kid: 'unknown' })}`,
      `Bearer ${token({ iss: 'another' })}`,
      `Bearer ${token({ iss: undefined })}`,
      `Bearer ${token({ aud: 'else' })}`,
      `Bearer ${token({ aud: undefined })}`,
      `Bearer ${token({ sub: undefined })}`,
      `Bearer ${token({ plan: 'gold' })}`,
      `Bearer ${keyServer.sign('one', claims(nowMs), { typ: 'reset+jwt' })}`,
      `Bearer ${keyServer.sign('one', claims(nowMs), { typ: 'JWT' })}`,
      `Bearer ${token({ exp: Math.floor(nowMs / 1000) + 86_401 })}`,
      `Bearer ${'a'.repeat(5000)}`,
    ];
    for (const authorization of bad) {
      expect([authorization, ...(await me(authorization))]).toEqual([
        authorization,
        ...refused('Invalid token'),
      ]);
    }
  });
});

describe('the key set', () => {
  it('stays in use while auth is unavailable', async () => {
    expect((await me(`Bearer ${token()}`))[0]).toBe(200);
    keyServer.isBroken = true;
    nowMs += 3_600_000;
    expect((await me(`Bearer ${token()}`))[0]).toBe(200);
  });

  it('returns 503 until the first keys are fetched', async () => {
    keyServer.isBroken = true;
    const [status, body] = await me(`Bearer ${token()}`);
    expect(status).toBe(503);
    expect(body).toMatchObject({ error: 'Service Unavailable' });
    keyServer.isBroken = false;
    nowMs += 1000;
    expect((await me(`Bearer ${token()}`))[0]).toBe(200);
  });

  it('is ready once it is fetched, and then verifies the first token without auth', async () => {
    keyServer.isBroken = true;
    await expect(keySet.check()).rejects.toMatchObject({ errorName: 'Service Unavailable' });
    keyServer.isBroken = false;
    nowMs += 1000;
    await keySet.check();
    keyServer.isBroken = true;
    expect((await me(`Bearer ${token()}`))[0]).toBe(200);
  });

  it('is fetched once for concurrent requests, and for unknown keys once in 5 s', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => me(`Bearer ${token()}`)));
    expect(answers.every(([status]) => status === 200)).toBe(true);
    expect(keyServer.fetches).toBe(1);
    keyServer.addKey('two');
    const second = `Bearer ${keyServer.sign('two', claims(nowMs))}`;
    await Promise.all(Array.from({ length: 20 }, () => me(second)));
    expect(await me(second)).toEqual(refused('Invalid token'));
    expect(keyServer.fetches).toBe(1);
    nowMs += 5_000;
    expect((await me(second))[0]).toBe(200);
    expect(keyServer.fetches).toBe(2);
  });

  it('rejects tokens of a withdrawn key, even if they were accepted before', async () => {
    const bearer = `Bearer ${token()}`;
    expect((await me(bearer))[0]).toBe(200);
    keyServer.removeKey('one');
    keyServer.addKey('two');
    nowMs += 5_000;
    expect((await me(`Bearer ${keyServer.sign('two', claims(nowMs))}`))[0]).toBe(200);
    expect(await me(bearer)).toEqual(refused('Invalid token'));
  });

  it('security 20: notices a withdrawn key when every token is in the cache', async () => {
    const bearer = `Bearer ${token()}`;
    expect((await me(bearer))[0]).toBe(200);
    // The first request fetched the key set, which empties the cache at the second one.
    expect((await me(bearer))[0]).toBe(200);
    keyServer.removeKey('one');
    keyServer.addKey('two');
    nowMs += 61_000;
    await until(async () => (await me(bearer))[0] === 401);
    expect(await me(bearer)).toEqual(refused('Invalid token'));
  });
});

it('returns 403 for a sensitive operation while the email address is not verified', async () => {
  const post = async (bearer: string) => {
    const headers = { authorization: `Bearer ${bearer}` };
    const answer = await fetch(`${app.origin}/sensitive`, { method: 'POST', headers });
    return [answer.status, await answer.json()];
  };
  expect(await post(token({ ev: true }))).toEqual([200, { ok: true }]);
  expect(await post(token({ ev: false }))).toEqual([
    403,
    { error: 'Email Not Verified', message: 'Verify your email address first' },
  ]);
});

describe('a route for operators', () => {
  const statusWith = async (bearer?: string) => {
    const headers = new Headers(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` });
    const answer = await fetch(`${app.origin}/operator`, { headers });
    return [answer.status, await answer.json()];
  };

  it('does not exist for an account without the role', async () => {
    const body = { error: 'Not Found', message: 'Page not found' };
    expect(await statusWith(token())).toEqual([404, body]);
    expect(await statusWith(token({ op: true }))).toEqual([200, {}]);
  });

  it('returns 401 for a claim of another kind, and for no token', async () => {
    expect(await statusWith(token({ op: 'true' }))).toEqual(refused('Invalid token'));
    expect(await statusWith()).toEqual(refused('Authentication required'));
  });
});
