import type { Sql } from '@atrium/service-kit/database';

/** The codes that were before are void. */
export async function replaceRecoveryCodes(
  tx: Sql,
  codes: { accountId: string; hashes: readonly Buffer[]; nowMs: number },
): Promise<void> {
  await deleteRecoveryCodes(tx, codes.accountId);
  await tx.query(
    `INSERT INTO recovery_codes (account_id, hash, created_at)
     SELECT $1, hash, $3 FROM unnest($2::bytea[]) AS hash`,
    [codes.accountId, codes.hashes, new Date(codes.nowMs)],
  );
}

/** Uses a code up; false when there is none such. */
export async function useRecoveryCode(tx: Sql, accountId: string, hash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    'DELETE FROM recovery_codes WHERE account_id = $1 AND hash = $2 RETURNING 1',
    [accountId, hash],
  );
  return rows.length === 1;
}

export async function deleteRecoveryCodes(tx: Sql, accountId: string): Promise<void> {
  await tx.query('DELETE FROM recovery_codes WHERE account_id = $1', [accountId]);
}
