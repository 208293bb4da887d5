import { type Import, IMPORT_SKIPPED_MAX } from '@atrium/contracts/notes/imports';
import { newId } from '@atrium/contracts/ids';
import type { Origin, Sql } from '@atrium/service-kit/database';
import { permittedSql } from '../access/permissions.ts';
import { recordActivity } from '../activity/record.ts';
import type { Database } from '../database.ts';
import { UPLOAD_LEASE_SECONDS } from '../files/upload-lease.ts';
import { assertStorageFits } from '../storage-use/store.ts';
import type { ArchiveContents, Skipped } from './archive-contents.ts';
import { COLUMNS, isAnyWaiting, LEASED_UNTIL, leaseNext } from './queue-store.ts';

// Raw SQL: leases and expiry by the clock of the database, and each step checks the lease in the statement
// that records it.

export interface ImportRecord {
  id: string;
  workspaceId: string;
  state: Import['state'];
  total: number;
  done: number;
  created: number;
  unchanged: number;
  skipped: Skipped[];
  skippedCount: number;
  sourceName: string | null;
  sourceDescription: string | null;
  error: string | null;
  createdAt: Date;
  finishedAt: Date | null;
}

/** An import that a worker has leased. */
export interface LeasedImport extends ImportRecord {
  accountId: string;
  sizeBytes: number;
  attempt: number;
  /** How often its worker was gone before it was finished or released, since the last step. */
  interruptions: number;
}

/** The outcome of one note or file of the archive. */
export type Step =
  | { kind: 'created' | 'unchanged' | 'stored' }
  | { kind: 'skipped'; path: string; reason: string };

export interface ImportStore {
  /**
   * Begins an upload, with a lease; null when the account may not, or another import is unfinished.
   *
   * @throws HttpError 403 when the owner of the workspace has no space left for its report
   */
  create(
    origin: Origin,
    workspaceId: string,
    accountId: string,
    sizeBytes: number,
  ): Promise<string | null>;
  /** Renews the lease of an upload. */
  renewUpload(id: string): Promise<void>;
  /** Whether the account is uploading an archive of this size. */
  isUploading(workspaceId: string, accountId: string, sizeBytes: number): Promise<boolean>;
  /** The upload is complete; null when its workspace was deleted meanwhile. */
  enqueue(tx: Sql, id: string): Promise<ImportRecord | null>;
  /** The upload failed. */
  discard(id: string): Promise<void>;
  find(workspaceId: string, id: string): Promise<ImportRecord | null>;
  /** Newest first, only those older than `beforeId` when it is given; fewer than `limit` when they are large. */
  list(
    workspaceId: string,
    limit: number,
    beforeId?: string,
  ): Promise<(ImportRecord & { hasMore: boolean })[]>;
  /** Leases an import of the account whose turn is longest ago, of those waiting with no import running. */
  lease(): Promise<LeasedImport | null>;
  /** Whether an import of another account could be leased. */
  isAnyWaiting(leased: LeasedImport): Promise<boolean>;
  /** @throws LeaseLost */
  renew(leased: LeasedImport): Promise<void>;
  /** Records what is to be done, the first time that the archive is read. */
  begin(leased: LeasedImport, contents: ArchiveContents): Promise<void>;
  /** Records one step, in the transaction that makes it. @throws LeaseLost */
  record(tx: Sql, leased: LeasedImport, step: Step): Promise<void>;
  /** Counts the notes of a workspace without those in the trash. */
  countNotes(workspaceId: string): Promise<number>;
  /** @returns lost when another worker has it, or its workspace was deleted */
  finish(leased: LeasedImport, error: string | null): Promise<'finished' | 'lost'>;
  /**
   * Lets another worker go on: at once, unless it has failed.
   * @returns exhausted when it has failed so often that it is given up
   */
  release(
    leased: LeasedImport,
    reason: 'interrupted' | 'failed',
  ): Promise<'released' | 'exhausted'>;
}

/** Another worker goes on with the import. */
export class LeaseLost extends Error {}

export const RENEW_EVERY_MS = 5_000;
const RETRY_SECONDS = 5;
const FAILURES_MAX = 10;
/** The most that a report takes; it counts towards the storage of the workspace's owner. */
const REPORT_MAX_BYTES = 512 * 1024;

/** What one page of a list has of reports, and the last one beyond: a hundred could have 25 MB. */
const PAGE_MAX_BYTES = 1024 * 1024;

const UPLOAD_LEASED_UNTIL = `now() + make_interval(secs => ${UPLOAD_LEASE_SECONDS})`;
const IS_LEASED = `id = $1 AND attempt = $2 AND finished_at IS NULL`;

/** An upload that was killed. It is purged as that of a deleted workspace would be. */
const DETACH_KILLED = `
  UPDATE imports SET workspace_id = NULL
  WHERE workspace_id = $1 AND state = 'uploading' AND leased_until < now()`;

const CREATE = `
  INSERT INTO imports (id, workspace_id, account_id, size_bytes, report_bytes, leased_until)
  SELECT $1, id, $3, $4, ${REPORT_MAX_BYTES}, ${UPLOAD_LEASED_UNTIL} FROM workspaces
  WHERE id = $2 AND ${permittedSql('$3', 'writeNotes')}
  ON CONFLICT (workspace_id) WHERE finished_at IS NULL DO NOTHING RETURNING id`;

const RENEW_UPLOAD = `
  UPDATE imports SET leased_until = ${UPLOAD_LEASED_UNTIL} WHERE id = $1 AND state = 'uploading'`;
const FIND_UPLOAD = `
  SELECT id FROM imports
  WHERE workspace_id = $1 AND account_id = $2 AND size_bytes = $3 AND state = 'uploading'
    AND leased_until > now()`;
const ENQUEUE = `
  UPDATE imports SET state = 'waiting', leased_until = now()
  WHERE id = $1 AND state = 'uploading' AND workspace_id IS NOT NULL RETURNING ${COLUMNS}`;

const RENEW = `UPDATE imports SET leased_until = ${LEASED_UNTIL} WHERE ${IS_LEASED} RETURNING id`;

const BEGIN = `
  UPDATE imports SET state = 'running', total = $3, skipped = $4::jsonb, skipped_count = $5,
    source_name = $6, source_description = $7
  WHERE ${IS_LEASED} AND state = 'waiting'`;

const RECORD = `
  UPDATE imports SET done = done + 1, failures = 0, interruptions = 0, leased_until = ${LEASED_UNTIL},
    created = created + ($3 = 'created')::integer, unchanged = unchanged + ($3 = 'unchanged')::integer,
    skipped_count = skipped_count + ($3 = 'skipped')::integer,
    skipped = CASE WHEN $3 = 'skipped' AND jsonb_array_length(skipped) < ${IMPORT_SKIPPED_MAX}
      THEN skipped || jsonb_build_object('path', $4::text, 'reason', $5::text) ELSE skipped END
  WHERE ${IS_LEASED} RETURNING id`;

const FINISH = `
  UPDATE imports SET state = CASE WHEN $3::text IS NULL THEN 'completed' ELSE 'failed' END,
    error = $3, finished_at = now(), is_leased = false,
    report_bytes = least(${REPORT_MAX_BYTES}, octet_length(skipped::text) + 1024)
  WHERE ${IS_LEASED} RETURNING created`;

const RELEASE = `
  UPDATE imports SET leased_until = now() + make_interval(secs => $3), failures = failures + $4,
    is_leased = false
  WHERE ${IS_LEASED} RETURNING failures`;

const LIST = `
  WITH page AS (
    SELECT id AS page_id, lead(id) OVER newest IS NOT NULL AS "hasMore",
      sum(report_bytes) OVER newest - report_bytes AS bytes_before
    FROM imports WHERE workspace_id = $1 AND id < $2 WINDOW newest AS (ORDER BY id DESC)
  )
  SELECT ${COLUMNS}, "hasMore" FROM page JOIN imports ON id = page_id
  WHERE bytes_before < ${PAGE_MAX_BYTES} ORDER BY id DESC LIMIT $3`;

export function createImportStore(database: Database): ImportStore {
  const one = async (text: string, ...values: unknown[]) => {
    const [row] = await database.query<ImportRecord>(text, values);
    return row ?? null;
  };
  async function assertLeased(query: Promise<object[]>, { id }: LeasedImport): Promise<void> {
    if ((await query).length === 0) throw new LeaseLost(`import ${id} has another worker`);
  }
  return {
    async create(origin, workspaceId, accountId, sizeBytes) {
      await database.query(DETACH_KILLED, [workspaceId]);
      const values = [newId('imp'), workspaceId, accountId, sizeBytes];
      return database.transaction(origin, async (tx) => {
        const [row] = await tx.query<{ id: string }>(CREATE, values);
        await assertStorageFits(tx, workspaceId);
        return row?.id ?? null;
      });
    },
    async renewUpload(id) {
      await database.query(RENEW_UPLOAD, [id]);
    },
    async isUploading(workspaceId, accountId, sizeBytes) {
      const values = [workspaceId, accountId, sizeBytes];
      return (await database.query(FIND_UPLOAD, values)).length > 0;
    },
    async enqueue(tx, id) {
      const [queued] = await tx.query<ImportRecord>(ENQUEUE, [id]);
      return queued ?? null;
    },
    async discard(id) {
      await database.query('DELETE FROM imports WHERE id = $1', [id]);
    },
    find: (workspaceId, id) =>
      one(`SELECT ${COLUMNS} FROM imports WHERE workspace_id = $1 AND id = $2`, workspaceId, id),
    list: (workspaceId, limit, beforeId = '~') =>
      database.query(LIST, [workspaceId, beforeId, limit]),
    lease: () => leaseNext<LeasedImport>(database),
    isAnyWaiting: ({ accountId }) => isAnyWaiting(database, accountId),
    renew: (leased) => assertLeased(database.query(RENEW, [leased.id, leased.attempt]), leased),
    async countNotes(workspaceId) {
      const count = 'SELECT note_count AS "noteCount" FROM workspaces WHERE id = $1';
      const [workspace] = await database.query<{ noteCount: number }>(count, [workspaceId]);
      return workspace?.noteCount ?? 0;
    },
    async begin({ id, attempt }, { notes, files, skipped, source }) {
      const first = JSON.stringify(skipped.slice(0, IMPORT_SKIPPED_MAX));
      const total = notes.length + files.length;
      const values = [id, attempt, total, first, skipped.length];
      await database.query(BEGIN, [...values, source?.name, source?.description]);
    },
    record(tx, leased, step) {
      const { path, reason } = step.kind === 'skipped' ? step : { path: null, reason: null };
      const values = [leased.id, leased.attempt, step.kind, path, reason];
      return assertLeased(tx.query(RECORD, values), leased);
    },
    async finish({ id, attempt, workspaceId, accountId }, error) {
      return database.transaction({ job: 'import' }, async (tx) => {
        const values = [id, attempt, error];
        const [finished] = await tx.query<{ created: number }>(FINISH, values);
        if (finished !== undefined && finished.created > 0) {
          await recordActivity(tx, { kind: 'workspace.imported', workspaceId, accountId });
        }
        return finished === undefined ? 'lost' : 'finished';
      });
    },
    async release({ id, attempt }, reason) {
      const [delaySeconds, failures] = reason === 'failed' ? [RETRY_SECONDS, 1] : [0, 0];
      const values = [id, attempt, delaySeconds, failures];
      const [released] = await database.query<{ failures: number }>(RELEASE, values);
      return (released?.failures ?? 0) >= FAILURES_MAX ? 'exhausted' : 'released';
    },
  };
}
