// Raw SQL: arrays of rows, and steps that count only while the import is as far as the last one left it.
import type { AccountImport } from '@atrium/contracts/auth/account-imports';
import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import type { Database } from '../../database.ts';
import type { Batch, Rejection } from '../import-accounts.ts';

type ImportRow = Omit<AccountImport, 'createdAt' | 'finishedAt'> & {
  createdAt: Date;
  finishedAt: Date | null;
};

/** An upload whose process is gone. The server ends one that does not get on for 30 s. */
const UPLOAD_LOST_MS = 60_000;

const SELECT = `
  SELECT i.id, i.file_name AS "fileName", a.username AS operator, i.state, i.lines, i.lines_read AS "linesRead",
    i.created, i.already_there AS "alreadyThere", i.rejected, i.error, i.created_at AS "createdAt",
    i.finished_at AS "finishedAt"
  FROM account_imports i LEFT JOIN accounts a ON a.id = i.operator_id`;

export async function findImport(sql: Sql, id: string): Promise<AccountImport | undefined> {
  const [row] = await sql.query<ImportRow>(`${SELECT} WHERE i.id = $1`, [id]);
  return row && represent(row);
}

/** The newest first, before `beforeId`. */
export async function listImports(
  sql: Sql,
  { beforeId, limit }: { beforeId: string | null; limit: number },
): Promise<AccountImport[]> {
  const rows = await sql.query<ImportRow>(
    `${SELECT} WHERE $1::text IS NULL OR i.id < $1 ORDER BY i.id DESC LIMIT $2`,
    [beforeId, limit],
  );
  return rows.map(represent);
}

/** Rejected lines after this one, in their order. */
export function listRejections(
  sql: Sql,
  { importId, afterLine, limit }: { importId: string; afterLine: number; limit: number },
): Promise<Rejection[]> {
  return sql.query<Rejection>(
    `SELECT line, field, message, email FROM account_import_rejections
     WHERE import_id = $1 AND line > $2 ORDER BY line LIMIT $3`,
    [importId, afterLine, limit],
  );
}

/** Begins an upload. @returns undefined while another import is unfinished */
export async function createImport(
  sql: Sql,
  { operatorId, fileName, nowMs }: { operatorId: string; fileName: string; nowMs: number },
): Promise<string | undefined> {
  await sql.query(`DELETE FROM account_imports WHERE state = 'uploading' AND uploaded_at < $1`, [
    new Date(nowMs - UPLOAD_LOST_MS),
  ]);
  const [row] = await sql.query<{ id: string }>(
    `INSERT INTO account_imports (id, operator_id, file_name, uploaded_at, created_at)
     VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING RETURNING id`,
    [newId('imp', nowMs), operatorId, fileName, new Date(nowMs)],
  );
  return row?.id;
}

/** @throws Error when the upload was given up meanwhile */
export async function addPart(
  sql: Sql,
  { importId, number, content, nowMs }: Part & { nowMs: number },
): Promise<void> {
  const rows = await sql.query(
    `WITH uploading AS (
       UPDATE account_imports SET uploaded_at = $4 WHERE id = $1 AND state = 'uploading' RETURNING id
     )
     INSERT INTO account_import_parts (import_id, number, content) SELECT id, $2, $3 FROM uploading
     RETURNING number`,
    [importId, number, content, new Date(nowMs)],
  );
  if (rows.length === 0) throw new Error(`import ${importId} is not being uploaded any more`);
}

interface Part {
  importId: string;
  number: number;
  content: Buffer;
}

/** The upload is complete. */
export async function enqueueImport(
  sql: Sql,
  { importId, lines }: { importId: string; lines: number },
): Promise<void> {
  await sql.query(`UPDATE account_imports SET state = 'waiting', lines = $2 WHERE id = $1`, [
    importId,
    lines,
  ]);
}

export async function discardImport(sql: Sql, importId: string): Promise<void> {
  await sql.query('DELETE FROM account_imports WHERE id = $1', [importId]);
}

/** The content of the file from its first part on. */
export async function* readParts(sql: Sql, importId: string): AsyncGenerator<Buffer> {
  for (let number = 0; ; number += 1) {
    const [part] = await sql.query<{ content: Buffer }>(
      'SELECT content FROM account_import_parts WHERE import_id = $1 AND number = $2',
      [importId, number],
    );
    if (part === undefined) return;
    yield part.content;
  }
}

export interface StartedImport {
  id: string;
  linesRead: number;
  attempts: number;
}

/** The import that has been uploaded and is not finished, if there is one. */
export async function startImport(sql: Sql): Promise<StartedImport | undefined> {
  const [started] = await sql.query<StartedImport>(
    `UPDATE account_imports SET state = 'running', attempts = attempts + 1
     WHERE state IN ('waiting', 'running') RETURNING id, lines_read AS "linesRead", attempts`,
  );
  return started;
}

/**
 * Records a batch, in the transaction that makes its accounts.
 *
 * @returns how many lines were rejected in all
 * @throws Error when another process has recorded these lines
 */
export async function recordBatch(
  sql: Sql,
  importId: string,
  { afterLine, throughLine, counts, rejections }: Batch,
): Promise<number> {
  const { created, alreadyThere, rejected } = counts;
  const [progress] = await sql.query<{ rejected: number }>(
    `UPDATE account_imports SET lines_read = $3, created = created + $4, already_there = already_there + $5,
       rejected = rejected + $6, attempts = 0
     WHERE id = $1 AND state = 'running' AND lines_read = $2 RETURNING rejected`,
    [importId, afterLine, throughLine, created, alreadyThere, rejected],
  );
  if (progress === undefined) throw new Error(`import ${importId} goes on in another process`);
  await sql.query(
    `INSERT INTO account_import_rejections (import_id, line, field, message, email)
     SELECT $1, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[])`,
    [
      importId,
      rejections.map(({ line }) => line),
      rejections.map(({ field }) => field),
      rejections.map(({ message }) => message),
      rejections.map(({ email }) => email ?? null),
    ],
  );
  return progress.rejected;
}

/** With the reason when it has ended before the file did. The file is deleted. */
export async function finishImport(
  database: Database,
  { importId, error, nowMs }: { importId: string; error: AccountImport['error']; nowMs: number },
): Promise<void> {
  await database.transaction({ job: 'import-accounts' }, async (tx) => {
    await tx.query(
      `UPDATE account_imports SET state = CASE WHEN $2::text IS NULL THEN 'completed' ELSE 'failed' END,
         lines_read = CASE WHEN $2::text IS NULL THEN lines ELSE lines_read END, error = $2, finished_at = $3
       WHERE id = $1 AND finished_at IS NULL`,
      [importId, error, new Date(nowMs)],
    );
    await tx.query('DELETE FROM account_import_parts WHERE import_id = $1', [importId]);
  });
}

/** @returns how many were deleted */
export async function purgeImports(
  database: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const where = { finishedAt: { lt: before } };
  const { count } = await database.prisma.accountImport.deleteMany({ where, limit });
  return count;
}

function represent({ createdAt, finishedAt, ...row }: ImportRow): AccountImport {
  return {
    ...row,
    createdAt: createdAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
  };
}
