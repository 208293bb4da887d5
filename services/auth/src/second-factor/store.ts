import type { Sql } from '@atrium/service-kit/database';
import { type FactorName, type Factors, isSecondFactorOn } from './factor.ts';

export async function findFactors(sql: Sql, accountId: string): Promise<Factors> {
  const [factors] = await sql.query<Factors>(
    `SELECT EXISTS (SELECT 1 FROM totp_factors
                    WHERE account_id = $1 AND confirmed_at IS NOT NULL) AS totp,
            (SELECT count(*)::integer FROM passkeys WHERE account_id = $1) AS passkeys,
            (SELECT count(*)::integer FROM recovery_codes WHERE account_id = $1) AS "recoveryCodes"`,
    [accountId],
  );
  return factors ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}

/**
 * Removes the factors that were set up at `since` or later, recovery codes among them, and every
 * recovery code when no factor is left.
 *
 * @returns the names of the factors that were on
 */
export async function deleteFactorsSince(
  tx: Sql,
  { accountId, since }: { accountId: string; since: Date },
): Promise<FactorName[]> {
  const factors = await tx.query<{ factor: FactorName }>(
    `WITH app AS (
       DELETE FROM totp_factors WHERE account_id = $1 AND coalesce(confirmed_at, created_at) >= $2
       RETURNING confirmed_at
     ), keys AS (
       DELETE FROM passkeys WHERE account_id = $1 AND created_at >= $2 RETURNING 1
     )
     SELECT 'totp' AS factor FROM app WHERE confirmed_at IS NOT NULL
     UNION ALL SELECT 'passkey' FROM keys`,
    [accountId, since],
  );
  const isOn = isSecondFactorOn(await findFactors(tx, accountId));
  await tx.query('DELETE FROM recovery_codes WHERE account_id = $1 AND created_at >= $2', [
    accountId,
    isOn ? since : new Date(0),
  ]);
  return factors.map(({ factor }) => factor);
}

/** How many forgotten logins a new one takes away with it: the table cannot grow for ever. */
const PURGED_AT_ONCE = 10;

export async function insertPendingLogin(
  tx: Sql,
  login: { hash: Buffer; accountId: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx.query(
    `WITH forgotten AS (
       DELETE FROM mfa_challenges WHERE hash IN (
         SELECT hash FROM mfa_challenges WHERE expires_at < $4
         ORDER BY expires_at LIMIT $5 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO mfa_challenges (hash, account_id, expires_at) VALUES ($1, $2, $3)`,
    [login.hash, login.accountId, login.expiresAt, login.now, PURGED_AT_ONCE],
  );
}

/** Whose login this is, while it may still be tried. */
export async function findPendingLogin(
  sql: Sql,
  login: { hash: Buffer; triesMax: number; now: Date },
): Promise<string | undefined> {
  const [row] = await sql.query<{ accountId: string }>(
    `SELECT account_id AS "accountId" FROM mfa_challenges
     WHERE hash = $1 AND attempts < $2 AND expires_at > $3`,
    [login.hash, login.triesMax, login.now],
  );
  return row?.accountId;
}

/** Counts a try, before anything is compared; false when all have been used. */
export async function countTry(
  sql: Sql,
  login: { hash: Buffer; triesMax: number; now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `UPDATE mfa_challenges SET attempts = attempts + 1
     WHERE hash = $1 AND attempts < $2 AND expires_at > $3 RETURNING 1`,
    [login.hash, login.triesMax, login.now],
  );
  return rows.length === 1;
}

/** Uses a login up; false when it was used, or ended by a new password, meanwhile. */
export async function deletePendingLogin(tx: Sql, hash: Buffer): Promise<boolean> {
  const rows = await tx.query('DELETE FROM mfa_challenges WHERE hash = $1 RETURNING 1', [hash]);
  return rows.length === 1;
}

/** Ends every login of the account that waits for its second step. */
export async function deletePendingLogins(tx: Sql, accountId: string): Promise<void> {
  await tx.query('DELETE FROM mfa_challenges WHERE account_id = $1', [accountId]);
}
