import { INBOX, type Inbox } from '@atrium/contracts/queues';
import { appendMessage } from '@atrium/events/outbox';
import type { Sql } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { EnqueueEmail } from '../../email/outbox/store.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { type PrismaClient, transaction } from '../../transaction-store.ts';
import { beginErasure, deleteAccount, deleteInBatches, listDue, lockDue } from './store.ts';

const ACCOUNTS_AT_ONCE = 20;
const BATCH_SIZE = 500;
/** After the account's last access token has expired. */
const SECOND_PASS_LEEWAY_MS = 60_000;

/** The services that have rows of their own to erase. */
const ERASING_INBOXES: readonly Inbox[] = [INBOX.notes, INBOX.links, INBOX.webhooks];

export interface ErasureDeps {
  prisma: PrismaClient;
  templates: Pick<EmailTemplates, 'accountErased'>;
  enqueueEmail: EnqueueEmail;
  wakeEmailSender: () => void;
  accessTokenTtlSeconds: number;
  /** Call after a commit that revoked sessions. */
  syncRevokedSessions: () => Promise<void>;
  wakeRelay: (queue: Inbox) => void;
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
    ids = await listDue(deps.prisma, new Date(deps.clockMs()), ACCOUNTS_AT_ONCE);
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
  const { prisma, logger, clockMs } = deps;
  const now = new Date(clockMs());
  const isDue = await transaction(prisma, async (tx, sql) => {
    if (!(await lockDue(sql, accountId, now))) return false;
    await beginErasure(tx, accountId);
    // Sessions that were started during the grace period.
    await revokeSessions(sql, { accountId }, now.getTime());
    return true;
  });
  if (!isDue) return false;
  await deps.syncRevokedSessions();
  await deleteInBatches(prisma, accountId, BATCH_SIZE);
  const isErased = await transaction(prisma, async (tx, sql) => {
    if (!(await lockDue(sql, accountId, now))) return false;
    await revokeSessions(sql, { accountId }, now.getTime());
    const owner = await deleteAccount(tx, accountId);
    // The email outbox keeps the address, encrypted, until the message is sent or given up.
    const content = deps.templates.accountErased(owner);
    await deps.enqueueEmail(sql, 'account-erased', content);
    await announce(deps, sql, accountId);
    return true;
  });
  if (isErased) {
    await deps.syncRevokedSessions();
    for (const queue of ERASING_INBOXES) deps.wakeRelay(queue);
    deps.wakeEmailSender();
    logger.info({ securityEvent: 'account.erased', accountId }, 'security event');
  }
  return isErased;
}

/**
 * Twice: at once, and when the account's last access token has expired, in case a request that was
 * under way wrote something after the first erasure.
 */
async function announce(deps: ErasureDeps, tx: Sql, accountId: string): Promise<void> {
  const secondPassMs = deps.accessTokenTtlSeconds * 1000 + SECOND_PASS_LEEWAY_MS;
  for (const queue of ERASING_INBOXES) {
    const message = { queue, kind: 'account.deleted' as const, accountId, data: {} };
    await appendMessage(tx, message);
    await appendMessage(tx, { ...message, delayMs: secondPassMs });
  }
}
