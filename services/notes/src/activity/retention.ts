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

export function eraseActivitiesOf(sql: Sql, workspaceId: string): Promise<void> {
  return eraseInBatches(sql, ERASE_OF_WORKSPACE, [workspaceId]);
}

/** Forgets who it was that did something or whom it was about, when that account is erased. */
export async function forgetActor(sql: Sql, accountId: string): Promise<void> {
  await eraseInBatches(sql, FORGET_ACTOR, [accountId]);
  await eraseInBatches(sql, FORGET_MEMBER, [accountId]);
}
