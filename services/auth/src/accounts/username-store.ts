// Raw SQL: lower(username), advisory locks and SKIP LOCKED are beyond Prisma.
import type { Sql } from '@atrium/service-kit/database';

/**
 * A registration with a taken address is answered like a success, so its username is reserved for this
 * long: if the same registration succeeded twice, that would reveal the account.
 */
const RESERVED_MS = 30 * 86_400_000;
const PURGE_LIMIT = 100;

/** Whether an account has the username, ignoring case, or it is reserved. */
export async function isUsernameTaken(sql: Sql, username: string, nowMs: number): Promise<boolean> {
  const rows = await sql.query(
    `SELECT 1 FROM accounts WHERE lower(username) = lower($1)
     UNION ALL
     SELECT 1 FROM reserved_usernames WHERE username = lower($1) AND expires_at > $2`,
    [username, new Date(nowMs)],
  );
  return rows.length > 0;
}

/**
 * Locks a username until the transaction ends. The advisory lock covers both tables, which no unique
 * index does.
 *
 * @returns whether the username is free
 */
export async function lockUsername(tx: Sql, username: string, nowMs: number): Promise<boolean> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended(lower($1), 0))::text', [username]);
  return !(await isUsernameTaken(tx, username, nowMs));
}

/** Reserves a username that the caller has locked, and deletes some expired reservations. */
export async function reserveUsername(tx: Sql, username: string, nowMs: number): Promise<void> {
  await tx.query(
    `INSERT INTO reserved_usernames (username, expires_at) VALUES (lower($1), $2)
     ON CONFLICT (username) DO UPDATE SET expires_at = excluded.expires_at`,
    [username, new Date(nowMs + RESERVED_MS)],
  );
  await tx.query(
    `DELETE FROM reserved_usernames WHERE username IN (
       SELECT username FROM reserved_usernames WHERE expires_at <= $1
       LIMIT $2 FOR UPDATE SKIP LOCKED)`,
    [new Date(nowMs), PURGE_LIMIT],
  );
}
