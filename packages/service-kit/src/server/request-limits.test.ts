import { startOutage } from '@atrium/testkit/outage';
import { testRedis } from '@atrium/testkit/redis';
import { expect, it, onTestFinished } from 'vitest';
import { startTestServer } from '../../test/test-server.ts';
import { createRateLimiter } from '../rate-limit/rate-limit.ts';
import { openRedis } from '../redis.ts';
import { addRateLimitHeaders } from './request-limits.ts';
import { requireVerifiedEmail } from '../authentication/authentication.ts';
import { HttpError } from '../http-error.ts';
import type { Server } from './server.ts';

const RULE = { name: 'strict', limit: 1, windowSeconds: 60 };
const FURTHER = { name: 'further', limit: 5, windowSeconds: 60 };
const LINKS = { name: 'links', limit: 50, windowSeconds: 60 };

/** A server whose clock stands still, with limits of 3 by account and 2 by IP address. */
async function start(options: { enabled?: boolean } = {}) {
  const { url, queuePrefix: keyPrefix } = testRedis();
  const outage = await startOutage(url);
  onTestFinished(() => outage[Symbol.asyncDispose]());
  const redis = await openRedis({ url: outage.url });
  onTestFinished(() => redis[Symbol.asyncDispose]());
  const [nowMs, monotonicMs] = [Date.now(), performance.now()];
  const rateLimiter = createRateLimiter({
    redis: redis.client,
    keyPrefix,
    enabled: options.enabled ?? true,
    clockMs: () => nowMs,
    monotonicMs: () => monotonicMs,
    perMinute: { account: 3, ip: 2 },
  });
  const routes = (server: Server) => {
    server.get('/public', () => ({}));
    server.get('/link', { config: { defaultLimit: LINKS } }, () => ({}));
    void server.register(async (api) => {
      api.addHook('onRequest', async (request) => {
        const { authorization: id } = request.headers;
        if (id === undefined) throw new HttpError('token-missing');
        const emailVerified = id !== 'new';
        request.account = {
          id,
          sessionId: '',
          plan: 'free',
          emailVerified,
          isOperator: false,
          scopes: null,
          applicationId: null,
          expiresAtMs: Infinity,
        };
      });
      api.get('/mine', () => ({}));
      const preHandler = requireVerifiedEmail;
      api.post('/strict', { config: { rateLimit: RULE }, preHandler }, async (_request, reply) => {
        const state = await rateLimiter.consume(FURTHER, 'x');
        addRateLimitHeaders(reply, FURTHER, state);
        return {};
      });
    });
  };
  const app = await startTestServer(routes, { rateLimiter, trustProxy: true });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return {
    outage,
    call: async (path: string, given: { account?: string; ip?: string; method?: string } = {}) => {
      const { account, ip = '192.0.2.1', method = 'GET' } = given;
      const { statusCode: status, headers } = await app.server.inject({
        method: method as 'GET',
        url: path,
        headers: {
          'x-forwarded-for': ip,
          ...(account === undefined ? {} : { authorization: account }),
        },
      });
      const { ratelimit: limit, 'ratelimit-policy': policy, 'retry-after': retryAfter } = headers;
      return { status, policy, limit, retryAfter, code: headers['error-code'] };
    },
  };
}

it('limits a public route by IP address and says so in every response', async () => {
  const { call } = await start();
  const policy = '"address";q=2;w=60';
  expect(await call('/public')).toMatchObject({ status: 200, policy, limit: '"address";r=1;t=30' });
  expect(await call('/public')).toMatchObject({ status: 200, policy, limit: '"address";r=0;t=60' });
  const refused = {
    status: 429,
    policy,
    limit: '"address";r=0;t=30',
    retryAfter: '30',
    code: 'too-many-requests',
  };
  expect(await call('/public')).toEqual(refused);
  expect(await call('/public', { ip: '192.0.2.2' })).toMatchObject({ status: 200 });
});

it('limits an authenticated route by account, whatever the IP address', async () => {
  const { call } = await start();
  for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    expect(await call('/mine', { account: 'a', ip })).toMatchObject({
      status: 200,
      policy: '"account";q=3;w=60',
    });
  }
  expect(await call('/mine', { account: 'a' })).toMatchObject({ status: 429, retryAfter: '20' });
  expect(await call('/mine', { account: 'b' })).toMatchObject({ status: 200 });
});

it.each([
  ['without a token', '/mine', 401],
  ['for an unknown page', '/nowhere', 404],
  ['for a URL that cannot be decoded', '/%zz', 400],
])('counts a request %s for its IP address', async (_what, path, status) => {
  const { call } = await start();
  const policy = '"address";q=2;w=60';
  expect(await call(path)).toMatchObject({ status, policy, limit: '"address";r=1;t=30' });
  expect(await call(path)).toMatchObject({ status, policy, limit: '"address";r=0;t=60' });
  expect(await call(path)).toMatchObject({ status: 429, policy, retryAfter: '30' });
});

it('names every limit that applies to a route', async () => {
  const { call } = await start();
  expect(await call('/strict', { account: 'a', method: 'POST' })).toMatchObject({
    status: 200,
    policy: '"account";q=3;w=60, "strict";q=1;w=60, "further";q=5;w=60',
    limit: '"account";r=2;t=20, "strict";r=0;t=60, "further";r=4;t=12',
  });
  expect(await call('/strict', { account: 'a', method: 'POST' })).toMatchObject({
    status: 429,
    policy: '"strict";q=1;w=60',
    retryAfter: '60',
  });
});

it('does not count a request that is refused before the handler under a further limit', async () => {
  const { call } = await start();
  const strict = () => call('/strict', { account: 'new', method: 'POST' });
  expect([(await strict()).status, (await strict()).status]).toEqual([403, 403]);
});

it("replaces the default limit by the route's own", async () => {
  const { call } = await start();
  for (let i = 0; i < 5; i += 1) {
    expect(await call('/link')).toMatchObject({ status: 200, policy: '"links";q=50;w=60' });
  }
});

it('limits requests without Redis', async () => {
  const { call, outage } = await start();
  await outage.begin();
  const statuses = [];
  for (let i = 0; i < 3; i += 1) statuses.push((await call('/public')).status);
  expect(statuses).toEqual([200, 200, 429]);
});

it('limits nothing when limits are off', async () => {
  const { call } = await start({ enabled: false });
  for (let i = 0; i < 5; i += 1) {
    expect(await call('/strict', { account: 'a', method: 'POST' })).toMatchObject({ status: 200 });
    expect(await call('/public')).toEqual({
      status: 200,
      policy: undefined,
      limit: undefined,
      retryAfter: undefined,
    });
  }
});
