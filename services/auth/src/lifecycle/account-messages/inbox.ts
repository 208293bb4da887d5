import type { Message } from '@atrium/contracts/account-messages';
import { type AccountData, accountDataHandler } from '@atrium/events/account-data';
import type { Database } from '@atrium/service-kit/database';
import { takePart, type TakePartDeps } from '../export/export.ts';
import { accountCollections, findOwner, markProcessed } from './store.ts';

export interface InboxDeps extends TakePartDeps, Pick<AccountData, 'onSent'> {
  database: Database;
}

/** What auth does with the messages that other services, and auth itself, send it. */
export function createInbox(deps: InboxDeps): (message: Message) => Promise<void> {
  const { database } = deps;
  const handleData = accountDataHandler({
    service: 'auth',
    sql: database,
    // Auth erases its rows before it tells the others.
    erase: async () => undefined,
    collections: (accountId) => accountCollections(database, accountId),
    onSent: deps.onSent,
  });
  return async (message) => {
    switch (message.kind) {
      case 'export.part':
        await takePart(deps, message.accountId, message.data);
        return;
      case 'webhook.disabled':
        await mailDisabledWebhook(deps, message);
        return;
      default:
        await handleData(message);
    }
  };
}

/** One mail for each message, however often it comes. */
async function mailDisabledWebhook(
  { database, templates, enqueueEmail, wakeEmailSender }: InboxDeps,
  { id, accountId, data }: Extract<Message, { kind: 'webhook.disabled' }>,
): Promise<void> {
  await database.transaction(async (tx) => {
    const owner = await findOwner(tx, accountId);
    if (owner === undefined || !(await markProcessed(tx, id))) return;
    const mail = templates.webhookDisabled(owner.email, owner.name, data);
    await enqueueEmail(tx, 'webhook-disabled', mail);
  });
  wakeEmailSender();
}
