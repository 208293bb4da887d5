import type { AccountImport } from '@atrium/contracts/auth/account-imports';
import { HttpError, unavailable } from '@atrium/service-kit/http-error';
import type { Requester } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database } from '../../database.ts';
import { addPart, createImport, discardImport, enqueueImport, findImport } from './store.ts';

/** For a file of 100 MB at 2 Mbit/s. */
export const UPLOAD_TIMEOUT_MS = 400_000;
const PART_BYTES = 256 * 1024;
const LINE_END = 10;

export interface UploadDeps {
  database: Database;
  audit: AuditLog;
  clockMs: () => number;
  /** For after the commit. */
  wakeImport: () => void;
}

interface Upload {
  operator: Requester;
  fileName: string;
  content: AsyncIterable<Buffer>;
}

/**
 * Stores a file in parts, of which one is in memory, and has it imported.
 *
 * @throws HttpError 409 while another import is unfinished, 503 when the file could not be stored
 */
export async function storeUpload(deps: UploadDeps, upload: Upload): Promise<AccountImport> {
  const { database, audit, clockMs, wakeImport } = deps;
  const { operator, fileName, content } = upload;
  const { accountId: operatorId, sessionId, origin } = operator;
  const importId = await createImport(database, { operatorId, fileName, nowMs: clockMs() });
  if (importId === undefined) throw new HttpError('import-running');
  try {
    const lines = await storeParts(content, (number, part) =>
      addPart(database, { importId, number, content: part, nowMs: clockMs() }),
    );
    return await database.transaction(origin, async (tx) => {
      await enqueueImport(tx, { importId, lines });
      await audit.record(tx, {
        kind: 'operator.accounts_imported',
        accountId: operatorId,
        sessionId,
        origin,
        data: { fileName, lines },
      });
      tx.afterCommit(wakeImport);
      const queued = await findImport(tx, importId);
      if (queued === undefined) throw new Error(`import ${importId} is gone`);
      return queued;
    });
  } catch (error) {
    await discardImport(database, importId);
    throw unavailable('The file could not be stored, please try again', undefined, error);
  }
}

/** @returns how many lines there are */
async function storeParts(
  content: AsyncIterable<Buffer>,
  store: (number: number, part: Buffer) => Promise<void>,
): Promise<number> {
  let chunks: Buffer[] = [];
  let length = 0;
  let number = 0;
  let lineEnds = 0;
  let last = LINE_END;
  async function flush() {
    await store(number, Buffer.concat(chunks));
    number += 1;
    chunks = [];
    length = 0;
  }
  for await (const chunk of content) {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) {
      lineEnds += 1;
    }
    last = chunk.at(-1) ?? last;
    chunks.push(chunk);
    length += chunk.length;
    if (length >= PART_BYTES) await flush();
  }
  if (length > 0) await flush();
  return last === LINE_END ? lineEnds : lineEnds + 1;
}
