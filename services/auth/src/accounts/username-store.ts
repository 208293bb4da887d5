import type { Sql } from '@atrium/service-kit/database';

/**
 * A registration that looked like one to the outside keeps its username for so long: otherwise
 * registering the same name twice would tell that the address already had an account.
 */
const RESERVED_MS = 30 * 86_400_000;
const PURGE_LIMIT = 100;

/** Whether an account has the username, in any letter case, or it is reserved. */
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
 * Whether this transaction may give the username to an account or reserve it. If so, everybody else
 * who claims it waits for the transaction's end.
 */
export async function claimUsername(tx: Sql, username: string, nowMs: number): Promise<boolean> {
  // A lock for both tables: no unique index covers accounts and reservations together.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended(lower($1), 0))', [username]);
  return !(await isUsernameTaken(tx, username, nowMs));
}

/** The caller has claimed the username. */
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
