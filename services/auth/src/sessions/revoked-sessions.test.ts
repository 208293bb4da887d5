import { revokedSessionsBeatKey, revokedSessionsKey } from '@atrium/contracts/revoked-sessions';
import { openDatabase } from '@atrium/service-kit/database';
import { followRevokedSessions } from '@atrium/service-kit/revoked-sessions';
import { createLogger } from '@atrium/service-kit/logger';
import { openRedis } from '@atrium/service-kit/redis';
import { createTestDatabase } from '@atrium/testkit/database';
import { startOutage } from '@atrium/testkit/outage';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { testRedis } from '@atrium/testkit/redis';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { purgeRevokedSessions } from './revoked-session-store.ts';
import { openRevokedSessions } from './revoked-sessions.ts';
import { revokeSessions } from './store.ts';

const logger = createLogger({ service: 'auth', level: 'silent' });
const HOUR_MS = 3_600_000;
const INTERVAL_MS = 20;

/** A database with sessions, and a Redis that can be lost, for any number of processes. */
async function startWorld() {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('auth'));
  const db = stack.use(
    openDatabase({ url, applicationName: 'revocations-test', ...TEST_TIMEOUTS }),
  );
  const { url: redisUrl, queuePrefix } = testRedis();
  const outage = stack.use(await startOutage(redisUrl));
  const { client: redis } = stack.use(await openRedis({ url: redisUrl, ...TEST_TIMEOUTS }));
  await db.query(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender)
     VALUES ('usr_1', 'Ada', 'ada', 'ada@example.com', 'x', '1990-01-01', 'other')`,
  );
  let sessions = 0;
  const kept = stack.move();
  return {
    db,
    redis,
    queuePrefix,
    outage,
    /** Inserts a session whose access token expires at this time. */
    async session(accessExpiresAtMs = Date.now() + HOUR_MS): Promise<string> {
      sessions += 1;
      const id = `ses_${sessions}`;
      await db.query(
        `INSERT INTO sessions (id, account_id, browser, os, ip_address, expires_at,
                               access_expires_at)
         VALUES ($1, 'usr_1', 'Firefox', 'Linux', '127.0.0.1', $2, $3)`,
        [id, new Date(Date.now() + 24 * HOUR_MS), new Date(accessExpiresAtMs)],
      );
      return id;
    },
    revoke: (sessionId: string) =>
      revokeSessions(db, { sessionId, accountId: 'usr_1' }, Date.now()),
    /** What an auth process runs. */
    auth: async () => {
      const own = kept.use(await openRedis({ url: outage.url, ...TEST_TIMEOUTS }));
      const options = { sql: db, queuePrefix, logger, clockMs: Date.now, intervalMs: INTERVAL_MS };
      return kept.use(await openRevokedSessions({ ...options, redis: own.client }));
    },
    /** What every other service runs. */
    service: async () => {
      const own = kept.use(await openRedis({ url: outage.url, ...TEST_TIMEOUTS }));
      const options = { redis: own.client, queuePrefix, logger, intervalMs: INTERVAL_MS };
      return kept.use(await followRevokedSessions(options));
    },
    async forgetEverything() {
      const keys = await redis.keys(`${queuePrefix}:revoked-sessions*`);
      expect(keys.length).toBeGreaterThan(0);
      await redis.del(...keys);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test('security 19: a revoked session is known to this process at once, to all others soon', async () => {
  await using world = await startWorld();
  const [auth, otherAuth, service] = [
    await world.auth(),
    await world.auth(),
    await world.service(),
  ];
  const [ended, living] = [await world.session(), await world.session()];
  expect(await world.revoke(ended)).toEqual([{ sessionId: ended, accountId: 'usr_1' }]);
  await auth.sync();
  expect(auth.isRevoked(ended)).toBe(true);
  await until(() => otherAuth.isRevoked(ended) && service.isRevoked(ended));
  for (const process of [auth, otherAuth, service]) {
    expect(process.isRevoked(living)).toBe(false);
  }
  expect(await world.revoke(ended)).toEqual([]);
});

test('security 19: what ended before a process started is known from its start', async () => {
  await using world = await startWorld();
  const ended = await world.session();
  await world.revoke(ended);
  const auth = await world.auth();
  const service = await world.service();
  expect([auth.isRevoked(ended), service.isRevoked(ended)]).toEqual([true, true]);
});

test('a transaction that commits late is not missed', async () => {
  await using world = await startWorld();
  const auth = await world.auth();
  const [slow, quick] = [await world.session(), await world.session()];
  await world.db.transaction(async (tx) => {
    await revokeSessions(tx, { sessionId: slow, accountId: 'usr_1' }, Date.now());
    await world.revoke(quick);
    await auth.sync();
    expect([auth.isRevoked(quick), auth.isRevoked(slow)]).toEqual([true, false]);
  });
  await auth.sync();
  expect(auth.isRevoked(slow)).toBe(true);
});

test('security 19: after Redis has lost everything, nothing that ended is let in', async () => {
  await using world = await startWorld();
  const auth = await world.auth();
  const running = await world.service();
  const ended = await world.session();
  await world.revoke(ended);
  await auth.sync();
  await until(() => running.isRevoked(ended));
  await world.forgetEverything();
  expect(running.isRevoked(ended)).toBe(true);
  const started = await world.service();
  expect(await until(() => started.isRevoked(ended))).toBe(true);
});

test('security 19: a Redis that comes back with less than it had is filled again', async () => {
  await using world = await startWorld();
  const auth = await world.auth();
  const ended = await world.session();
  await world.revoke(ended);
  await auth.sync();
  await until(async () => (await world.redis.xlen(revokedSessionsKey(world.queuePrefix))) > 0);
  await world.outage.begin();
  // As after a restart from a copy on disk that is older than the last entries.
  await world.redis.del(revokedSessionsKey(world.queuePrefix));
  await world.outage.end();
  const started = await world.service();
  expect(await until(() => started.isRevoked(ended))).toBe(true);
});

test('security 19: while Redis is away the list stays, and is caught up with after', async () => {
  await using world = await startWorld();
  const auth = await world.auth();
  const service = await world.service();
  const [before, during] = [await world.session(), await world.session()];
  await world.revoke(before);
  await until(() => service.isRevoked(before));
  await world.outage.begin();
  await world.revoke(during);
  await auth.sync();
  expect([auth.isRevoked(before), auth.isRevoked(during)]).toEqual([true, true]);
  expect([service.isRevoked(before), service.isRevoked(during)]).toEqual([true, false]);
  await world.outage.end();
  await until(() => service.isRevoked(during));
});

test('the stream says whether anybody fills it', async () => {
  await using world = await startWorld();
  const isFilled = async () =>
    (await world.redis.exists(revokedSessionsBeatKey(world.queuePrefix))) === 1;
  await world.auth();
  expect(await isFilled()).toBe(true);
  await world.outage.begin();
  await until(async () => !(await isFilled()));
  await world.outage.end();
  await until(isFilled);
});

test('security 19: a service that has never read the list lets nobody in', async () => {
  await using world = await startWorld();
  const service = await world.service();
  expect(() => service.isRevoked('ses_any')).toThrow('Tokens cannot be verified at the moment');
  await expect(service.check()).rejects.toThrow('not known yet');
  await world.auth();
  await until(async () => {
    await service.check();
    return true;
  });
  expect(service.isRevoked('ses_any')).toBe(false);
});

test('a session is remembered for as long as its access tokens, and no longer', async () => {
  await using world = await startWorld();
  const idle = await world.session(Date.now() - HOUR_MS);
  const soonMs = Date.now() + HOUR_MS;
  const soon = await world.session(soonMs);
  await world.revoke(idle);
  await world.revoke(soon);
  const remembered = async () =>
    (await world.db.query('SELECT session_id AS id FROM revoked_sessions')).map(({ id }) => id);
  expect(await remembered()).toEqual([soon]);
  expect(await purgeRevokedSessions(world.db, soonMs + 59_000, 10)).toBe(0);
  expect(await purgeRevokedSessions(world.db, soonMs + 61_000, 10)).toBe(1);
  expect(await remembered()).toEqual([]);
});
