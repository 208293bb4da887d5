import type { Sql } from '@atrium/service-kit/database';

export const ONE_RECIPIENT = 'Give accountId or externalId, not both';

// Raw, as ON CONFLICT and DISTINCT ON are.
const RECORD = `
  INSERT INTO owners (account_id, external_id) VALUES ($1, $2)
  ON CONFLICT (account_id) DO UPDATE SET external_id = excluded.external_id`;

// An account that was deleted and imported again may still have its older row: ids are in the order of time.
const FIND = `
  SELECT DISTINCT ON (external_id) external_id AS "externalId", account_id AS "accountId"
  FROM owners WHERE external_id = ANY($1) ORDER BY external_id, account_id DESC`;

/** Keeps which id an account had where it was imported from. */
export async function recordExternalId(
  sql: Sql,
  accountId: string,
  externalId: string,
): Promise<void> {
  await sql.query(RECORD, [accountId, externalId]);
}

/** @returns the accounts that have these external ids, as far as there are any */
export async function findRecipients(
  sql: Sql,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (externalIds.length === 0) return new Map();
  const rows = await sql.query<{ externalId: string; accountId: string }>(FIND, [externalIds]);
  return new Map(rows.map(({ externalId, accountId }) => [externalId, accountId]));
}
