import type { Database } from '@atrium/service-kit/database';
import type { User } from '../invitations/invitations.fixture.ts';
import type { StorageUse } from '@atrium/contracts/notes/storage-use';

const SUMS = (what: string) => `
  ${what}, coalesce(sum(note_bytes), 0)::float8 AS "noteBytes",
  coalesce(sum(version_bytes), 0)::float8 AS "versionBytes",
  coalesce(sum(attachment_bytes), 0)::float8 AS "attachmentBytes",
  coalesce(sum(import_bytes), 0)::float8 AS "importBytes"`;

/** What there is, read from every row. */
const STORED = `
  stored (workspace_id, owner_id, note_bytes, version_bytes, attachment_bytes, import_bytes) AS (
    SELECT id, owner_id,
      (SELECT sum(octet_length(content) + 1024) FROM notes WHERE workspace_id = workspaces.id),
      (SELECT sum(octet_length(versions.content) + 1024) FROM versions JOIN notes ON notes.id = note_id
        WHERE workspace_id = workspaces.id),
      (SELECT sum(size_bytes) FROM attachments JOIN attachment_workspaces ON attachment_id = id
        WHERE workspace_id = workspaces.id),
      (SELECT sum(report_bytes) FROM imports WHERE workspace_id = workspaces.id)
    FROM workspaces
  )`;
const BY_WORKSPACE = (table: string) =>
  `SELECT ${SUMS('workspace_id AS id')} FROM ${table} GROUP BY workspace_id ORDER BY workspace_id`;
const BY_OWNER = (table: string) => `
  SELECT ${SUMS('account_id AS id')} FROM owners
    LEFT JOIN (SELECT * FROM ${table}) AS storage ON storage.owner_id = account_id
  WHERE account_id IN (SELECT owner_id FROM owner_storage) GROUP BY account_id ORDER BY account_id`;

/** What the counters say, of all workspaces and owners, and what is really there. */
export async function readStorage(database: Database): Promise<{ counted: object; real: object }> {
  const query = (text: string) => database.query(`WITH ${STORED} ${text}`);
  return {
    counted: [
      await query(BY_WORKSPACE('workspace_storage')),
      await query(BY_OWNER('owner_storage')),
    ],
    real: [await query(BY_WORKSPACE('stored')), await query(BY_OWNER('stored'))],
  };
}

export async function usedBytes({ call }: Pick<User, 'call'>): Promise<StorageUse> {
  return (await call('GET', '/api/storage')).body as unknown as StorageUse;
}
