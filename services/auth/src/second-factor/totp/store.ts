import type { Sql } from '@atrium/service-kit/database';

/** Keeps a secret until a code confirms it; false when the account has a confirmed one. */
export async function startTotp(
  tx: Sql,
  factor: { accountId: string; sealedSecret: string; nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `INSERT INTO totp_factors (account_id, secret, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id)
     DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at, confirm_attempts = 0
     WHERE totp_factors.confirmed_at IS NULL
     RETURNING 1`,
    [factor.accountId, factor.sealedSecret, new Date(factor.nowMs)],
  );
  return rows.length === 1;
}

/**
 * The sealed secret that waits for its first code, if it was made after `since`. A try is counted
 * before anything is compared: once all have been used the secret waits no longer.
 */
export async function tryUnconfirmedTotp(
  sql: Sql,
  { accountId, since, triesMax }: { accountId: string; since: Date; triesMax: number },
): Promise<string | undefined> {
  const [row] = await sql.query<{ secret: string }>(
    `UPDATE totp_factors SET confirm_attempts = confirm_attempts + 1
     WHERE account_id = $1 AND confirmed_at IS NULL AND created_at > $2
       AND confirm_attempts < $3
     RETURNING secret`,
    [accountId, since, triesMax],
  );
  return row?.secret;
}

/** Turns the factor on and uses the step up; false when this secret waits no longer. */
export async function confirmTotp(
  tx: Sql,
  factor: { accountId: string; sealedSecret: string; step: number; nowMs: number },
): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE totp_factors SET confirmed_at = $4, last_used_step = $3
     WHERE account_id = $1 AND secret = $2 AND confirmed_at IS NULL RETURNING 1`,
    [factor.accountId, factor.sealedSecret, factor.step, new Date(factor.nowMs)],
  );
  return rows.length === 1;
}

/** The sealed secret of an account whose factor is on. */
export async function findTotp(sql: Sql, accountId: string): Promise<string | undefined> {
  const [row] = await sql.query<{ secret: string }>(
    'SELECT secret FROM totp_factors WHERE account_id = $1 AND confirmed_at IS NOT NULL',
    [accountId],
  );
  return row?.secret;
}

/** Uses a step up, and with it all before; false when it had been used (RFC 6238 section 5.2). */
export async function useStep(tx: Sql, accountId: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE totp_factors SET last_used_step = $2
     WHERE account_id = $1 AND confirmed_at IS NOT NULL AND last_used_step < $2 RETURNING 1`,
    [accountId, step],
  );
  return rows.length === 1;
}

/** @returns whether there was a factor that was on */
export async function deleteTotp(tx: Sql, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM totp_factors WHERE account_id = $1 AND confirmed_at IS NOT NULL RETURNING 1',
    [accountId],
  );
  return rows.length === 1;
}

export interface SealedTotp {
  accountId: string;
  secret: string;
}

/** Sealed secrets in the order of their accounts, from after the account `afterId`. */
export function listSealedTotp(
  sql: Sql,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<SealedTotp[]> {
  return sql.query<SealedTotp>(
    `SELECT account_id AS "accountId", secret FROM totp_factors
     WHERE account_id > $1 ORDER BY account_id LIMIT $2`,
    [afterId, limit],
  );
}

/** Replaces the sealed secret, unless it has changed since it was read. */
export async function replaceSealedTotp(
  sql: Sql,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<void> {
  await sql.query('UPDATE totp_factors SET secret = $3 WHERE account_id = $1 AND secret = $2', [
    accountId,
    from,
    to,
  ]);
}
