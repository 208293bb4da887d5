import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { eraseInBatches } from '@atrium/service-kit/account-data';
import type { Sql } from '@atrium/service-kit/database';

const VERSIONS_PER_BATCH = 200;

/** Raw: by the clock of the database. The current version is never superseded, so it stays. */
const PURGE = `
  DELETE FROM versions WHERE id = ANY (ARRAY(
    SELECT v.id FROM versions v JOIN notes n ON n.id = v.note_id
      JOIN workspaces w ON w.id = n.workspace_id JOIN owners o ON o.account_id = w.owner_id
    WHERE v.superseded_at < now() - make_interval(days => $2) AND o.plan = $1
    LIMIT $3 FOR UPDATE OF v SKIP LOCKED
  )) RETURNING id`;

/** Deletes versions that were superseded longer ago than the plan of the owner keeps them. */
export async function purgeVersions(sql: Sql): Promise<void> {
  for (const [plan, { versionDays }] of Object.entries(PLAN_LIMITS)) {
    await eraseInBatches(sql, PURGE, [plan, versionDays], VERSIONS_PER_BATCH);
  }
}

/** Raw: Prisma has no limit for updates. */
const FORGET_AUTHOR = `
  UPDATE versions SET author_id = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM versions WHERE author_id = $1 LIMIT $2
  )) RETURNING id`;

/** Keeps what an erased account wrote in the workspaces of others, without saying who it was. */
export function forgetAuthor(sql: Sql, accountId: string): Promise<void> {
  return eraseInBatches(sql, FORGET_AUTHOR, [accountId]);
}
