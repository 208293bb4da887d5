import { hash } from '@node-rs/argon2';
import type pg from 'pg';

export const PASSWORD = 'a lantern in the fog';

/** Email address of the seeded account `n`, from 1. */
export function emailOf(n: number): string {
  return `bench${n}@example.com`;
}

/** Refresh token of the seeded session `n`, from 1. */
export function refreshTokenOf(n: number): string {
  return String(n).padStart(43, '0');
}

/** Id and secret of the seeded application `n`, from 1, as HTTP's Basic scheme takes them. */
export function applicationOf(n: number): string {
  return `app_${String(n).padStart(26, '0')}:secret${n}`;
}

/** Applications that work for their owners, the first accounts. */
export async function seedApplications(pool: pg.Pool, count: number): Promise<void> {
  const id = `'app_' || lpad(g::text, 26, '0')`;
  await pool.query(
    `INSERT INTO applications (id, account_id, name, kind, redirect_urls, post_logout_urls, scopes, created_at,
                               updated_at)
     SELECT ${id}, 'usr_' || lpad(g::text, 26, '0'), 'Backup', 'machine', '{}', '{}', '{notes:read}', now(), now()
     FROM generate_series(1, $1::int) g`,
    [count],
  );
  await pool.query(
    `INSERT INTO application_secrets (id, application_id, hash, ending, created_at)
     SELECT 'sct_' || g, ${id}, sha256(convert_to('secret' || g, 'UTF8')), '', now()
     FROM generate_series(1, $1::int) g`,
    [count],
  );
}

/** Grants of the seeded accounts to the seeded applications, of which some machines use their own. */
export async function seedGrants(pool: pg.Pool, count: number, applications: number) {
  await withoutChecks(pool, async (client) => {
    await client.query('TRUNCATE oauth_grants CASCADE');
    await client.query(
      `INSERT INTO oauth_grants (id, account_id, application_id, scopes, created_at, access_expires_at, expires_at)
       SELECT 'gnt_' || lpad(g::text, 26, '0'), 'usr_' || lpad((1 + g % 1000)::text, 26, '0'),
              'app_' || lpad((1 + g / 1000 % $2::int)::text, 26, '0'), '{openid,notes:read}', now(), now(),
              now() + interval '1 year'
       FROM generate_series(1, $1::int) g`,
      [count, applications],
    );
    await client.query('VACUUM ANALYZE oauth_grants');
    await client.query('CHECKPOINT');
  });
}

/** Empties the tables and fills them again: one account for every ten sessions, but 1,000 of them. */
export const seed = (pool: pg.Pool, sessions: number): Promise<void> =>
  withoutChecks(pool, (client) => fill(client, sessions));

async function withoutChecks(
  pool: pg.Pool,
  write: (client: pg.PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    // A third of the time would go into looking up the account of each session and the like.
    await client.query('SET session_replication_role = replica');
    await write(client);
  } finally {
    // Closed, and the setting with it.
    client.release(true);
  }
}

async function fill(client: pg.PoolClient, sessions: number): Promise<void> {
  await client.query(
    'TRUNCATE accounts, revoked_sessions, reserved_usernames, email_messages, outbox CASCADE',
  );
  const accounts = Math.max(1000, sessions / 10);
  const passwordHash = await hash(PASSWORD, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
  const id = (prefix: string, n: string) => `'${prefix}_' || lpad((${n})::text, 26, '0')`;
  await client.query(
    `INSERT INTO accounts (id, name, username, email, password_hash, birthdate, gender)
     SELECT ${id('usr', 'g')}, 'Ada Lovelace', 'bench' || g, 'bench' || g || '@example.com', $1,
            '1990-12-10', 'other'
     FROM generate_series(1, ${accounts}) g`,
    [passwordHash],
  );
  await client.query(
    `INSERT INTO sessions (id, account_id, device_id_hash, browser, os, ip_address, expires_at,
                           access_expires_at)
     SELECT ${id('ses', 'g')}, ${id('usr', `1 + g % ${accounts}`)}, sha256('device'), 'Firefox', 'Linux',
            '192.0.2.1', now() + interval '6 days', now()
     FROM generate_series(1, ${sessions}) g`,
  );
  // The token in use, and one that was used before it.
  const hashOf = (text: string) => `sha256(convert_to(${text}, 'UTF8'))`;
  const current = hashOf(`lpad(g::text, 43, '0')`);
  await client.query(
    `INSERT INTO refresh_tokens (hash, session_id, successor_hash, rotated_at, expires_at)
     SELECT t.hash, ${id('ses', 'g')}, t.successor, t.rotated_at, now() + interval '6 days'
     FROM generate_series(1, ${sessions}) g, LATERAL (
       VALUES (${current}, NULL, NULL),
              (${hashOf(`'used ' || g`)}, ${current}, now() - interval '1 hour')
     ) AS t (hash, successor, rotated_at)`,
  );
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT');
}
