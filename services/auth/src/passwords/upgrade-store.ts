import type { Sql } from '@atrium/service-kit/database';

/** Exchanges a stored hash unless somebody was faster; answers the hash that is stored now. */
export async function exchangeHash(
  sql: Sql,
  change: { accountId: string; from: string; to: string },
): Promise<string | undefined> {
  const exchanged = await sql.query(
    'UPDATE accounts SET password_hash = $3 WHERE id = $1 AND password_hash = $2 RETURNING 1',
    [change.accountId, change.from, change.to],
  );
  if (exchanged.length > 0) {
    return change.to;
  }
  const [account] = await sql.query<{ passwordHash: string }>(
    'SELECT password_hash AS "passwordHash" FROM accounts WHERE id = $1',
    [change.accountId],
  );
  return account?.passwordHash;
}
