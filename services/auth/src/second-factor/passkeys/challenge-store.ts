import type { Sql } from '@atrium/service-kit/database';

/** What a challenge may be used for, and by whom; a passwordless login names nobody yet. */
export type ChallengeUse =
  | { purpose: 'register' | 'second-step'; accountId: string }
  | { purpose: 'login'; accountId: null };

/** How many forgotten challenges a new one takes away with it: the table cannot grow for ever. */
const PURGED_AT_ONCE = 10;

export async function insertChallenge(
  sql: Sql,
  challenge: ChallengeUse & { hash: Buffer; now: Date; expiresAt: Date },
): Promise<void> {
  await sql.query(
    `WITH forgotten AS (
       DELETE FROM passkey_challenges WHERE hash IN (
         SELECT hash FROM passkey_challenges WHERE expires_at < $5
         ORDER BY expires_at LIMIT $6 FOR UPDATE SKIP LOCKED)
     )
     INSERT INTO passkey_challenges (hash, purpose, account_id, expires_at) VALUES ($1, $2, $3, $4)`,
    [
      challenge.hash,
      challenge.purpose,
      challenge.accountId,
      challenge.expiresAt,
      challenge.now,
      PURGED_AT_ONCE,
    ],
  );
}

/** @returns whether it was there, for this use, and in time */
export async function deleteChallenge(
  sql: Sql,
  challenge: ChallengeUse & { hash: Buffer; now: Date },
): Promise<boolean> {
  const rows = await sql.query(
    `DELETE FROM passkey_challenges
     WHERE hash = $1 AND purpose = $2 AND account_id IS NOT DISTINCT FROM $3 AND expires_at > $4
     RETURNING 1`,
    [challenge.hash, challenge.purpose, challenge.accountId, challenge.now],
  );
  return rows.length === 1;
}
