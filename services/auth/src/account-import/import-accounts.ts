import type { Plan } from '@atrium/contracts/auth/tokens';
import type { Database, Tx } from '../database.ts';
import {
  type ImportedAccount,
  type ImportSettings,
  parseAccount,
  parseSettings,
  RejectedLine,
} from './imported-account.ts';
import { type Line, readLines } from './lines.ts';
import { insertBatch, type Outcome } from './store.ts';

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

/** What lines of the file have become, which are stored in one transaction. */
export interface Batch {
  /** The batch is what follows this line, up to `throughLine`. */
  afterLine: number;
  throughLine: number;
  counts: ImportCounts;
  rejections: Rejection[];
}

interface ImportOptions {
  database: Database;
  plan: Plan;
  clockMs: () => number;
  /** Ends the import after the batch that is under way; running it again goes on. */
  signal: AbortSignal;
  /** An earlier run has stored the lines up to this one: only their settings are read. */
  afterLine?: number;
  /** Called in the transaction that makes the accounts, which may run twice. */
  onBatch: (tx: Tx, batch: Batch) => Promise<void>;
}

/**
 * Makes accounts of a file with a JSON object on each line: docs/moving-in.md. Each batch is one transaction. Accounts
 * that are there already, by their email address or their external id, are left as they are.
 */
export async function importAccounts(
  stream: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportCounts> {
  const { database, plan, clockMs, signal, onBatch } = options;
  const total = { created: 0, alreadyThere: 0, rejected: 0 };
  let { afterLine = 0 } = options;
  let throughLine = afterLine;
  let settings: ImportSettings = {};
  let accounts: ImportedAccount[] = [];
  let rejections: Rejection[] = [];

  async function store(): Promise<void> {
    const counts = await database.transaction({ job: 'import-accounts' }, async (tx) => {
      const outcomes = await insertBatch(tx, accounts, { plan, nowMs: clockMs() });
      const batch = batchOf(accounts, outcomes, rejections);
      await onBatch(tx, { ...batch, afterLine, throughLine });
      return batch.counts;
    });
    total.created += counts.created;
    total.alreadyThere += counts.alreadyThere;
    total.rejected += counts.rejected;
    [accounts, rejections, afterLine] = [[], [], throughLine];
  }

  for await (const line of readLines(stream, LINE_MAX_BYTES)) {
    const isStored = line.number <= afterLine;
    try {
      const value = parseJson(line);
      if (typeof value === 'object' && value !== null && 'settings' in value) {
        settings = parseSettings(value);
      } else if (!isStored) {
        accounts.push(parseAccount(line.number, value, settings, clockMs()));
      }
    } catch (error) {
      if (!(error instanceof RejectedLine)) throw error;
      if (!isStored) rejections.push(rejectionOf(line.number, error));
    }
    throughLine = Math.max(throughLine, line.number);
    if (accounts.length + rejections.length < BATCH) continue;
    await store();
    if (signal.aborted) return total;
  }
  await store();
  return total;
}

function batchOf(
  accounts: readonly ImportedAccount[],
  outcomes: readonly Outcome[],
  unreadable: readonly Rejection[],
): Pick<Batch, 'counts' | 'rejections'> {
  const rejections = [...unreadable];
  const counts = { created: 0, alreadyThere: 0, rejected: 0 };
  for (const [index, { line, email }] of accounts.entries()) {
    const outcome = outcomes[index];
    if (outcome === 'created') counts.created += 1;
    else if (outcome instanceof RejectedLine) rejections.push(rejectionOf(line, outcome, email));
    else counts.alreadyThere += 1;
  }
  counts.rejected = rejections.length;
  return { counts, rejections: rejections.toSorted((a, b) => a.line - b.line) };
}

function rejectionOf(line: number, { field, message }: RejectedLine, email?: string): Rejection {
  return { line, field, message, ...(email === undefined ? {} : { email }) };
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
