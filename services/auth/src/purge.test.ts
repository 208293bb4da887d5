import { openDatabase } from '@atrium/service-kit/database';
import { createLogger } from '@atrium/service-kit/logger';
import { createTestDatabase } from '@atrium/testkit/database';
import { until } from '@atrium/testkit/until';
import { expect, test } from 'vitest';
import { startPurges } from './purge.ts';
import { purgeRefreshTokens, purgeSessions } from './sessions/refresh-store.ts';

const logger = createLogger({ service: 'auth', level: 'silent' });

test('what has expired goes, batch by batch, and what has not stays', async () => {
  await using owned = await createTestDatabase('auth');
  await using db = openDatabase({ url: owned.url, applicationName: 'purge-test' });
  await db.query(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender)
     VALUES ('usr_1', 'Ada', 'ada', 'ada@example.com', 'x', '1990-01-01', 'other')`,
  );
  await db.query(
    `INSERT INTO sessions (id, account_id, browser, os, ip_address, expires_at, access_expires_at)
     SELECT 'ses_' || n, 'usr_1', '', '', '', now() + (n - 25) * interval '1 hour',
            now() - interval '1 hour'
     FROM generate_series(0, 29) n`,
  );
  // Two of each session; of the living ones, one has expired.
  await db.query(
    `INSERT INTO refresh_tokens (hash, session_id, expires_at)
     SELECT sha256((id || k)::bytea), id, expires_at - k * interval '12 hours'
     FROM sessions, generate_series(0, 1) k`,
  );
  await using purges = startPurges({
    logger,
    batchSize: 4,
    purges: {
      broken: () => Promise.reject(new Error('the first one fails')),
      sessions: (limit) => purgeSessions(db, Date.now(), limit),
      tokens: (limit) => purgeRefreshTokens(db, Date.now(), limit),
    },
  });
  const count = async (table: string) => (await db.query(`SELECT 1 FROM ${table}`)).length;
  await until(async () => (await count('refresh_tokens')) === 4);
  expect(await count('sessions')).toBe(4);
  expect(purges).toBeDefined();
});

test('several processes share the work, and stop when they are told', async () => {
  let left = 100;
  const batch = async (limit: number) => {
    const taken = Math.min(limit, left);
    left -= taken;
    return taken;
  };
  const all = Array.from({ length: 3 }, () =>
    startPurges({ logger, batchSize: 10, purges: { rows: batch } }),
  );
  await until(() => left === 0);
  await Promise.all(all.map((purges) => purges[Symbol.asyncDispose]()));
});
