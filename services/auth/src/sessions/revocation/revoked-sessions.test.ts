import { openDatabase } from '@atrium/service-kit/database';
import { followRevokedSessions, sessionDigest } from '@atrium/service-kit/revoked-sessions';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { purgeRevokedSessions, readRevokedSessions } from './revoked-session-store.ts';
import { revokeSessions } from '../store.ts';

const HOUR_MS = 3_600_000;
const INTERVAL_MS = 20;

/** A database with sessions, for any number of auth processes. */
async function startFixture() {
  await using stack = new AsyncDisposableStack();
  const { url } = stack.use(await createTestDatabase('auth'));
  const db = stack.use(
    openDatabase({ url, applicationName: 'revoked-sessions-test', ...TEST_TIMEOUTS }),
  );
  await db.query(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender)
     VALUES ('usr_1', 'Ada', 'ada', 'ada@example.com', 'x', '1990-01-01', 'other')`,
  );
  let sessions = 0;
  const kept = stack.move();
  return {
    db,
    /** Inserts a session whose access token expires at this time. */
    async session(accessExpiresAtMs = Date.now() + HOUR_MS): Promise<string> {
      sessions += 1;
      const id = `ses_${sessions}`;
      await db.query(
        `INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address, expires_at,
                               access_expires_at)
         VALUES ($1, 'usr_1', sha256('device'), 'Firefox', 'Linux', '127.0.0.1', $2, $3)`,
        [id, new Date(Date.now() + 24 * HOUR_MS), new Date(accessExpiresAtMs)],
      );
      return id;
    },
    revoke: (sessionId: string) =>
      revokeSessions(db, { sessionId, accountId: 'usr_1' }, Date.now()),
    /** What an auth process runs. */
    auth: async () =>
      kept.use(
        await followRevokedSessions({
          read: (cursor) => readRevokedSessions(db, cursor, Date.now()),
          intervalMs: INTERVAL_MS,
        }),
      ),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

test('security 19: a revoked session is refused here after sync, and soon by every other process', async () => {
  await using fixture = await startFixture();
  const [auth, otherAuth] = [await fixture.auth(), await fixture.auth()];
  const [revoked, valid] = [await fixture.session(), await fixture.session()];
  expect(await fixture.revoke(revoked)).toEqual([{ sessionId: revoked, accountId: 'usr_1' }]);
  await auth.sync();
  expect(auth.isRevoked(revoked)).toBe(true);
  await until(() => otherAuth.isRevoked(revoked));
  for (const process of [auth, otherAuth]) {
    expect(process.isRevoked(valid)).toBe(false);
  }
  expect(await fixture.revoke(revoked)).toEqual([]);
});

test('security 19: a process knows from its start what was revoked before', async () => {
  await using fixture = await startFixture();
  const revoked = await fixture.session();
  await fixture.revoke(revoked);
  const auth = await fixture.auth();
  expect(auth.isRevoked(revoked)).toBe(true);
});

test('a transaction that commits late is not missed', async () => {
  await using fixture = await startFixture();
  const auth = await fixture.auth();
  const [slow, quick] = [await fixture.session(), await fixture.session()];
  await fixture.db.transaction({ job: 'test' }, async (tx) => {
    await revokeSessions(tx, { sessionId: slow, accountId: 'usr_1' }, Date.now());
    await fixture.revoke(quick);
    await auth.sync();
    expect([auth.isRevoked(quick), auth.isRevoked(slow)]).toEqual([true, false]);
  });
  await auth.sync();
  expect(auth.isRevoked(slow)).toBe(true);
});

test('a reading of several pages misses nothing that is revoked meanwhile', async () => {
  await using fixture = await startFixture();
  await fixture.db.query(
    `INSERT INTO revoked_sessions (session_id, expires_at)
     SELECT 'ses_page_' || n, now() + interval '1 hour' FROM generate_series(1, 1200) AS n`,
  );
  const ids = Array.from({ length: 1200 }, (_, index) => `ses_page_${index + 1}`);
  const meanwhile = await Promise.all(ids.slice(0, 8).map(() => fixture.session()));
  let reads = 0;
  await using service = await followRevokedSessions({
    read: async (cursor) => {
      const page = await readRevokedSessions(fixture.db, cursor, Date.now());
      reads += 1;
      if (reads === 2) await Promise.all(meanwhile.map(fixture.revoke));
      return page;
    },
    intervalMs: HOUR_MS,
  });
  expect(ids.filter((id) => !service.isRevoked(id))).toEqual([]);
  await service.sync();
  expect(meanwhile.filter((id) => !service.isRevoked(id))).toEqual([]);
});

test('a cursor from before the database was restored from a backup reads everything', async () => {
  await using fixture = await startFixture();
  const revoked = await fixture.session();
  await fixture.revoke(revoked);
  const { sessions } = await readRevokedSessions(fixture.db, '9000000000000000000', Date.now());
  expect(sessions).toMatchObject([{ digest: sessionDigest(revoked) }]);
});

test('a revoked session is stored until the portal links of its last access token have ended', async () => {
  await using fixture = await startFixture();
  const idle = await fixture.session(Date.now() - HOUR_MS - 61_000);
  const soonMs = Date.now() - HOUR_MS / 2;
  const soon = await fixture.session(soonMs);
  await fixture.revoke(idle);
  await fixture.revoke(soon);
  const stored = async () =>
    (await fixture.db.query('SELECT session_id AS id FROM revoked_sessions')).map(({ id }) => id);
  expect(await stored()).toEqual([soon]);
  expect(await purgeRevokedSessions(fixture.db, soonMs + HOUR_MS + 59_000, 10)).toBe(0);
  expect(await purgeRevokedSessions(fixture.db, soonMs + HOUR_MS + 61_000, 10)).toBe(1);
  expect(await stored()).toEqual([]);
});
