import { ACTIVITY_DAYS } from '@atrium/contracts/activity';
import { idBound } from '@atrium/contracts/ids';
import { eraseInBatches } from '@atrium/events/account-data';
import type { Sql } from '@atrium/service-kit/database';

// Raw: Prisma has no limit for changes of many rows.
const PURGE = `
  DELETE FROM activities WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE id < $1 ORDER BY id LIMIT $2
  )) RETURNING id`;
const ERASE_OF_WORKSPACE = `
  DELETE FROM activities WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE workspace_id = $1 LIMIT $2
  )) RETURNING id`;
const ERASE_OF_OWNER = `
  DELETE FROM activities WHERE id = ANY (ARRAY(
    SELECT a.id FROM activities a JOIN workspaces w ON w.id = a.workspace_id
    WHERE w.owner_id = $1 LIMIT $2
  )) RETURNING id`;
const FORGET_ACTOR = `
  UPDATE activities SET actor_id = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE actor_id = $1 LIMIT $2
  )) RETURNING id`;
const FORGET_MEMBER = `
  UPDATE activities SET member_id = NULL WHERE id = ANY (ARRAY(
    SELECT id FROM activities WHERE member_id = $1 LIMIT $2
  )) RETURNING id`;

export function purgeActivities(sql: Sql, clockMs: () => number = Date.now): Promise<void> {
  return eraseInBatches(sql, PURGE, [idBound('act', clockMs() - ACTIVITY_DAYS * 86_400_000)]);
}

/** What is left when this is interrupted can be read by nobody, and is purged by its age. */
export function eraseActivitiesOf(sql: Sql, workspaceId: string): Promise<void> {
  return eraseInBatches(sql, ERASE_OF_WORKSPACE, [workspaceId]);
}

/** Deletes what was done in the workspaces of an account, and forgets what it did in those of others. */
export async function eraseActivities(sql: Sql, accountId: string): Promise<void> {
  await eraseInBatches(sql, ERASE_OF_OWNER, [accountId]);
  await eraseInBatches(sql, FORGET_ACTOR, [accountId]);
  await eraseInBatches(sql, FORGET_MEMBER, [accountId]);
}
