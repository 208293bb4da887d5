// Why it is so: docs/decisions/0022-limits-follow-the-owner-of-a-workspace.md
import { limitsOf, PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import type { StorageUse } from '@atrium/contracts/notes/storage-use';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Sql } from '@atrium/service-kit/database';
import { HttpError } from '@atrium/service-kit/http-error';

// Raw SQL: tables that triggers keep, see the migration.

type UsedBytes = Omit<StorageUse, 'limitBytes' | 'fileLimitBytes'>;

const TOTAL = 'note_bytes + version_bytes + attachment_bytes + import_bytes';

const READ = `
  SELECT (${TOTAL})::float8 AS "usedBytes", note_bytes::float8 AS "noteBytes",
    version_bytes::float8 AS "versionBytes", attachment_bytes::float8 AS "attachmentBytes",
    import_bytes::float8 AS "importBytes"
  FROM owner_storage WHERE owner_id = $1`;

/** What everything in the workspaces of an account takes. */
export async function readStorageUse(sql: Sql, ownerId: string): Promise<UsedBytes> {
  const [use] = await sql.query<UsedBytes>(READ, [ownerId]);
  const none = { noteBytes: 0, versionBytes: 0, attachmentBytes: 0, importBytes: 0 };
  return use ?? { usedBytes: 0, ...none };
}

/** What this transaction has added, it has locked: others that add something wait for it. */
const FIND_EXCESS = `
  SELECT owners.plan FROM workspaces
    JOIN owners ON owners.account_id = workspaces.owner_id
    JOIN owner_storage ON owner_storage.owner_id = workspaces.owner_id
  WHERE workspaces.id = $1 AND ${TOTAL} > ($2::jsonb ->> owners.plan)::bigint
    AND ${TOTAL} > former_bytes AND changed_by = pg_current_xact_id()::text::bigint`;

/**
 * Asked at the end of a transaction that may have added to a workspace. What takes away, or adds no more than it
 * takes away, is always allowed: a smaller plan leaves what is there.
 *
 * @throws HttpError 403 when the owner of the workspace now has more than the plan allows
 */
export async function assertStorageFits(tx: Sql, workspaceId: string): Promise<void> {
  const [excess] = await tx.query<{ plan: Plan }>(FIND_EXCESS, [
    workspaceId,
    limitsOf('storageBytes'),
  ]);
  if (excess === undefined) return;
  const most = sizeOf(PLAN_LIMITS[excess.plan].storageBytes);
  throw new HttpError(
    'plan-limit-storage',
    `The notes, versions and files of one owner may have at most ${most}`,
  );
}

/** A limit as the pages show it, such as "50 kB". */
export function sizeOf(bytes: number): string {
  if (bytes >= 1024 ** 3) return `${bytes / 1024 ** 3} GB`;
  return bytes >= 1024 ** 2 ? `${bytes / 1024 ** 2} MB` : `${bytes / 1024} kB`;
}

const LOCK = `
  WITH locked AS MATERIALIZED (
    SELECT owner_id FROM workspace_storage
    WHERE workspace_id = ANY (ARRAY(SELECT workspace_id FROM notes WHERE id = ANY ($1)))
    ORDER BY workspace_id FOR UPDATE
  )
  SELECT FROM owner_storage WHERE owner_id = ANY (ARRAY(SELECT owner_id FROM locked))
  ORDER BY owner_id FOR UPDATE`;

/** Before several statements change notes of several workspaces: locked one after another, they could deadlock. */
export async function lockStorageOf(tx: Sql, noteIds: readonly string[]): Promise<void> {
  await tx.query(LOCK, [noteIds]);
}
