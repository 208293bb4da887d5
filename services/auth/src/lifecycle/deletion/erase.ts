import { INBOX, type Inbox } from '@atrium/contracts/queues';
import type { Logger } from '@atrium/service-kit/logger';
import type { Database, Tx } from '../../database.ts';
import type { Emails } from '../../email/outbox/store.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { beginErasure, deleteAccount, deleteInBatches, listDue, lockDue } from './store.ts';

const ACCOUNTS_AT_ONCE = 20;
const BATCH_SIZE = 500;
const ORIGIN = { job: 'erase-accounts' };
/** After the account's last access token has expired. */
const SECOND_PASS_LEEWAY_MS = 60_000;

/** The services that have rows of their own to erase. */
const ERASING_INBOXES: readonly Inbox[] = [INBOX.notes, INBOX.links, INBOX.webhooks];

export interface ErasureDeps {
  database: Database;
  emails: Emails;
  accessTokenTtlSeconds: number;
  /** Call after a commit that revoked sessions. */
  syncRevokedSessions: () => Promise<void>;
  logger: Logger;
  clockMs: () => number;
}

/**
 * Erases every account that is due. First the rows of which there may be many, in batches, so that an
 * interrupted erasure continues where it stopped. Then, in one transaction, the account with all that
 * depends on it, and the messages that make the other services do the same.
 */
export async function eraseDueAccounts(deps: ErasureDeps, signal: AbortSignal): Promise<void> {
  let ids: string[];
  let erased: number;
  do {
    ids = await listDue(deps.database, new Date(deps.clockMs()), ACCOUNTS_AT_ONCE);
    erased = 0;
    for (const id of ids) {
      if (!signal.aborted && (await eraseOrLog(deps, id))) erased++;
    }
    // Accounts that are left are locked elsewhere or failed: they are for the next run.
  } while (ids.length === ACCOUNTS_AT_ONCE && erased > 0);
}

/** One account that cannot be erased must not stop the others. */
async function eraseOrLog(deps: ErasureDeps, accountId: string): Promise<boolean> {
  try {
    return await erase(deps, accountId);
  } catch (error) {
    deps.logger.error({ err: error, accountId }, 'account could not be erased, will try again');
    return false;
  }
}

async function erase(deps: ErasureDeps, accountId: string): Promise<boolean> {
  const { database, logger, clockMs } = deps;
  const now = new Date(clockMs());
  const isDue = await database.transaction(ORIGIN, async (tx) => {
    if (!(await lockDue(tx, accountId, now))) return false;
    await beginErasure(tx, accountId);
    // Sessions that were started during the grace period.
    await revokeSessions(tx, { accountId }, now.getTime());
    return true;
  });
  if (!isDue) return false;
  await deps.syncRevokedSessions();
  await deleteInBatches(database, accountId, BATCH_SIZE);
  const isErased = await database.transaction(ORIGIN, async (tx) => {
    if (!(await lockDue(tx, accountId, now))) return false;
    await revokeSessions(tx, { accountId }, now.getTime());
    const owner = await deleteAccount(tx, accountId);
    // The email outbox keeps the address, encrypted, until the message is sent or given up.
    const content = deps.emails.templates.accountErased(owner);
    await deps.emails.enqueue(tx, 'account-erased', content);
    await announce(deps, tx, accountId);
    return true;
  });
  if (isErased) {
    await deps.syncRevokedSessions();
    logger.info({ securityEvent: 'account.erased', accountId }, 'security event');
  }
  return isErased;
}

/**
 * Twice: at once, and when the account's last access token has expired, in case a request that was
 * under way wrote something after the first erasure.
 */
async function announce(deps: ErasureDeps, tx: Tx, accountId: string): Promise<void> {
  const secondPassMs = deps.accessTokenTtlSeconds * 1000 + SECOND_PASS_LEEWAY_MS;
  for (const queue of ERASING_INBOXES) {
    const message = { queue, kind: 'account.deleted' as const, accountId, data: {} };
    await tx.append(message);
    await tx.append({ ...message, delayMs: secondPassMs });
  }
}
