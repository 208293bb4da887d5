import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Database } from '../database.ts';
import {
  type ImportedAccount,
  type ImportSettings,
  parseAccount,
  parseSettings,
  RejectedLine,
} from './imported-account.ts';
import { type Line, readLines } from './lines.ts';
import { insertBatch } from './store.ts';

const LINE_MAX_BYTES = 64 * 1024;
const BATCH = 1000;

export interface ImportCounts {
  created: number;
  alreadyThere: number;
  rejected: number;
}

/** Why a line made no account, as the report says it. */
export interface Rejection {
  line: number;
  field: string;
  message: string;
  email?: string;
}

interface ImportOptions {
  database: Database;
  plan: Plan;
  clockMs: () => number;
  /** Ends the import after the batch that is under way; running it again goes on. */
  signal: AbortSignal;
  onReject: (rejection: Rejection) => Promise<void>;
  onBatch: (counts: Readonly<ImportCounts>) => void;
}

/**
 * Makes accounts of a file with a JSON object on each line: docs/moving-in.md. Each batch is one transaction. Accounts
 * that are there already, by their address or their external id, are left as they are.
 */
export async function importAccounts(
  stream: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const counts = { created: 0, alreadyThere: 0, rejected: 0 };
  let settings: ImportSettings = {};
  let batch: ImportedAccount[] = [];

  async function reject(line: number, { field, message }: RejectedLine, email?: string) {
    counts.rejected += 1;
    await options.onReject({ line, field, message, ...(email === undefined ? {} : { email }) });
  }

  async function store() {
    const { database, plan } = options;
    const nowMs = options.clockMs();
    const accounts = batch;
    batch = [];
    const outcomes = await database.transaction({ job: 'import-accounts' }, (tx) =>
      insertBatch(tx, accounts, { plan, nowMs }),
    );
    for (const [index, outcome] of outcomes.entries()) {
      const account = accounts[index];
      if (outcome === 'created') counts.created += 1;
      else if (outcome === 'already-there') counts.alreadyThere += 1;
      else if (account !== undefined) await reject(account.line, outcome, account.email);
    }
    options.onBatch(counts);
  }

  for await (const line of readLines(stream, LINE_MAX_BYTES)) {
    try {
      const value = parseJson(line);
      if (typeof value === 'object' && value !== null && 'settings' in value) {
        settings = parseSettings(value);
        continue;
      }
      batch.push(parseAccount(line.number, value, settings, options.clockMs()));
    } catch (error) {
      if (!(error instanceof RejectedLine)) throw error;
      await reject(line.number, error);
    }
    if (batch.length < BATCH) continue;
    await store();
    if (options.signal.aborted) return counts;
  }
  await store();
  return counts;
}

/** @throws RejectedLine */
function parseJson({ text }: Line): unknown {
  if (text === undefined) {
    throw new RejectedLine('', `The line has more than ${LINE_MAX_BYTES} bytes`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new RejectedLine('', 'The line is not JSON');
  }
}
