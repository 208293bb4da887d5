import { createLogger } from '@atrium/service-kit/logger';
import { expect, test } from 'vitest';
import { runPurges } from './purge.ts';
import { purgeRefreshTokens, purgeSessions } from './sessions/refresh-store.ts';
import { openTestDatabase } from './test-app.ts';

const logger = createLogger({ service: 'auth', level: 'silent' });

test('deletes what has expired in batches, also after a purge that fails', async () => {
  await using database = await openTestDatabase();
  const { db } = database;
  await db.query(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender)
     VALUES ('usr_1', 'Ada', 'ada', 'ada@example.com', 'x', '1990-01-01', 'other')`,
  );
  await db.query(
    `INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address, expires_at,
                           access_expires_at)
     SELECT 'ses_' || n, 'usr_1', sha256('device'), '', '', '', now() + (n - 25) * interval '1 hour',
            now() - interval '2 hours'
     FROM generate_series(0, 29) n`,
  );
  // Two for each session; for each of the four active sessions, one has expired.
  await db.query(
    `INSERT INTO refresh_tokens (hash, session_id, expires_at)
     SELECT sha256((id || k)::bytea), id, expires_at - k * interval '12 hours'
     FROM sessions, generate_series(0, 1) k`,
  );
  await runPurges(
    {
      broken: () => Promise.reject(new Error('the first purge fails')),
      sessions: (limit) => purgeSessions(db, Date.now(), limit),
      tokens: (limit) => purgeRefreshTokens(db, Date.now(), limit),
    },
    { logger, batchSize: 4, signal: new AbortController().signal },
  );
  const count = async (table: string) => (await db.query(`SELECT 1 FROM ${table}`)).length;
  expect([await count('sessions'), await count('refresh_tokens')]).toEqual([4, 4]);
});

test('stops between batches when it is aborted', async () => {
  const stop = new AbortController();
  let batches = 0;
  const rows = async (limit: number) => {
    batches += 1;
    stop.abort();
    return limit;
  };
  await runPurges({ rows, others: rows }, { logger, signal: stop.signal });
  expect(batches).toBe(1);
});
