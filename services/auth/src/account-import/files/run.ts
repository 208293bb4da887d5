import type { AccountImport } from '@atrium/contracts/auth/account-imports';
import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Database } from '../../database.ts';
import { importAccounts } from '../import-accounts.ts';
import { finishImport, readParts, recordBatch, startImport } from './store.ts';

/** A file of which so much is rejected is another one than was meant, or lacks its settings. */
const REJECTED_MAX = 100_000;
const ATTEMPTS_MAX = 5;

export interface RunDeps {
  database: Database;
  /** The plan of new accounts. */
  plan: Plan;
  clockMs: () => number;
}

/**
 * Imports the file that waits, or goes on with it where its last batch ended.
 *
 * @throws when it is interrupted; the next run goes on
 */
export async function runImport(deps: RunDeps, signal: AbortSignal): Promise<void> {
  const { database, plan, clockMs } = deps;
  const started = await startImport(database);
  if (started === undefined) return;
  const { id: importId, linesRead: afterLine, attempts } = started;
  const finish = (error: AccountImport['error']) =>
    finishImport(database, { importId, error, nowMs: clockMs() });
  if (attempts > ATTEMPTS_MAX) return finish('interrupted');

  const tooMany = new AbortController();
  await importAccounts(readParts(database, importId), {
    database,
    plan,
    clockMs,
    afterLine,
    signal: AbortSignal.any([signal, tooMany.signal]),
    async onBatch(tx, batch) {
      const rejected = await recordBatch(tx, importId, batch);
      if (rejected > REJECTED_MAX) tooMany.abort();
    },
  });
  if (tooMany.signal.aborted) return finish('too-many-rejected');
  signal.throwIfAborted();
  return finish(null);
}
