import { afterAll, expect, test } from 'vitest';
import { makeAccount, signIn, startTestApp } from '../test-app.ts';
import { revokeSessions } from './store.ts';

const app = await startTestApp();
afterAll(() => app[Symbol.asyncDispose]());

test('a login revokes the oldest session of an account that has 5,000', async () => {
  const account = await makeAccount(app, 'everywhere');
  await app.db.query(
    `INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address,
       passed_second_factor, created_at, last_used_at, expires_at, access_expires_at)
     SELECT id || '-' || lpad(n::text, 4, '0'), account_id, device_id_hash, browser, os, ip_address,
       passed_second_factor, created_at, last_used_at, expires_at, access_expires_at
     FROM sessions, generate_series(1, 4999) AS n WHERE account_id = $1`,
    [account.id],
  );
  const newest = await signIn(app, account);
  const me = async (token: string) => (await app.call('GET', '/user/me', { token })).status;
  expect([await me(account.accessToken), await me(newest.accessToken)]).toEqual([401, 200]);
  const active = await app.db.query(
    'SELECT count(*)::int AS count FROM sessions WHERE account_id = $1 AND revoked_at IS NULL',
    [account.id],
  );
  expect(active).toEqual([{ count: 5_000 }]);
});

test('revoking the sessions of an account reads no grants of others', async () => {
  const { id: accountId } = await makeAccount(app, 'few-grants');
  const scans = await app.db.transaction({ job: 'test' }, async (tx) => {
    // Without indexes that fit, a table is read from its beginning even so.
    await tx.query('SET LOCAL enable_seqscan = off');
    await revokeSessions(tx, { accountId }, Date.now());
    return tx.query(
      `SELECT relname, seq_scan::int AS scans FROM pg_stat_xact_user_tables
       WHERE relname IN ('sessions', 'oauth_grants', 'oauth_records') ORDER BY relname`,
    );
  });
  const none = ['oauth_grants', 'oauth_records', 'sessions'].map((relname) => ({
    relname,
    scans: 0,
  }));
  expect(scans).toEqual(none);
});

test('a login does not read the revoked sessions of its account', async () => {
  const account = await makeAccount(app, 'logs-in-and-out');
  await app.db.query(
    `INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address, expires_at, access_expires_at,
       revoked_at)
     SELECT id || '-' || n, account_id, device_id_hash, browser, os, ip_address, expires_at, access_expires_at, now()
     FROM sessions, generate_series(1, 20000) AS n WHERE account_id = $1`,
    [account.id],
  );
  await app.db.query('ANALYZE sessions');
  const read = await app.db.transaction({ job: 'test' }, async (tx) => {
    // In a table as small as this one, Postgres would use no index.
    await tx.query('SET LOCAL enable_seqscan = off');
    await revokeSessions(tx, { accountId: account.id, beyondNewest: 5_000 }, Date.now());
    return tx.query<{ rows: number }>(
      `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows FROM pg_stat_xact_user_tables WHERE relname = 'sessions'`,
    );
  });
  // There are 5,000 active ones of another account, which may cost less to read than to pass over.
  expect(read[0]?.rows).toBeLessThan(20_000);
});
