import { eraseInBatches } from '@atrium/events/account-data';
import { appendMessage } from '@atrium/events/outbox';
import { INBOX, type Inbox } from '@atrium/contracts/queues';
import type { Database, Sql } from '@atrium/service-kit/database';
import type { Logger } from '@atrium/service-kit/logger';
import type { EnqueueEmail } from '../../email/outbox/outbox.ts';
import type { EmailTemplates } from '../../email/templates/templates.ts';
import { revokeSessions } from '../../sessions/store.ts';
import { beginErasure, deleteAccount, ERASE_MANY, listDue, lockDue } from './store.ts';

const ACCOUNTS_AT_ONCE = 20;
/** After the last access token of the account is dead. */
const SECOND_PASS_LEEWAY_MS = 60_000;

/** The services that erase rows of their own when an account is gone. */
export const ERASING_INBOXES: readonly Inbox[] = [INBOX.notes, INBOX.links, INBOX.webhooks];

export interface ErasureDeps {
  database: Database;
  templates: Pick<EmailTemplates, 'accountErased'>;
  enqueueEmail: EnqueueEmail;
  /** After a commit that posted mails. */
  wakeEmailSender: () => void;
  accessTokenTtlSeconds: number;
  /** After a commit that ended sessions. */
  onSessionsEnded: () => Promise<void>;
  /** After a commit that wrote messages. */
  onMessages: (queue: Inbox) => void;
  logger: Logger;
  clockMs: () => number;
}

/**
 * Erases every account whose time has come. First what there may be much of, in small steps, so that
 * an interrupted erasure goes on where it stopped; then, in one transaction, the account with all
 * that hangs on it and the messages that make the other services do the same.
 *
 * @returns how many accounts are gone
 */
export async function eraseDueAccounts(deps: ErasureDeps): Promise<number> {
  const { database, clockMs } = deps;
  let erased = 0;
  for (;;) {
    const ids = await listDue(database, new Date(clockMs()), ACCOUNTS_AT_ONCE);
    let erasedNow = 0;
    for (const id of ids) if (await eraseOrLog(deps, id)) erasedNow++;
    erased += erasedNow;
    // Those that are left are in the hands of another process.
    if (ids.length < ACCOUNTS_AT_ONCE || erasedNow === 0) return erased;
  }
}

/** One account that cannot be erased must not keep the others. */
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
  const isDue = await database.transaction(async (tx) => {
    const isLocked = await lockDue(tx, accountId, now);
    if (!isLocked) return false;
    await beginErasure(tx, accountId);
    // Those of the days of grace.
    await revokeSessions(tx, { accountId }, now.getTime());
    return true;
  });
  if (!isDue) return false;
  await deps.onSessionsEnded();
  for (const statement of ERASE_MANY) await eraseInBatches(database, statement, [accountId]);
  const isErased = await database.transaction(async (tx) => {
    if (!(await lockDue(tx, accountId, now))) return false;
    await revokeSessions(tx, { accountId }, now.getTime());
    await notifyOwner(deps, tx, await deleteAccount(tx, accountId));
    await announce(deps, tx, accountId);
    return true;
  });
  if (isErased) {
    await deps.onSessionsEnded();
    for (const queue of ERASING_INBOXES) deps.onMessages(queue);
    deps.wakeEmailSender();
    logger.info({ securityEvent: 'account.erased', accountId }, 'security event');
  }
  return isErased;
}

/** The outbox of mails keeps the address, encrypted, until the mail is sent or given up. */
async function notifyOwner(
  { templates, enqueueEmail }: ErasureDeps,
  tx: Sql,
  owner: { email: string; name: string } | undefined,
): Promise<void> {
  if (owner === undefined) return;
  await enqueueEmail(tx, 'account-erased', templates.accountErased(owner.email, owner.name));
}

/**
 * Twice: at once, and when no access token of the account can be alive any more, in case a request
 * that was on its way wrote something after the first erasure.
 */
async function announce(deps: ErasureDeps, tx: Sql, accountId: string): Promise<void> {
  const secondPassMs = deps.accessTokenTtlSeconds * 1000 + SECOND_PASS_LEEWAY_MS;
  for (const queue of ERASING_INBOXES) {
    const message = { queue, kind: 'account.deleted' as const, accountId, data: {} };
    await appendMessage(tx, message);
    await appendMessage(tx, { ...message, delayMs: secondPassMs });
  }
}
