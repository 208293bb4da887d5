import { Language } from '@atrium/contracts/profile';
import { invitationContext, type Message } from '@atrium/contracts/account-messages';
import { type AccountData, accountDataHandler } from '@atrium/service-kit/account-data';
import type { Database } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import Value from 'typebox/value';
import { transaction } from '../../transaction-store.ts';
import { receiveExportPart, type ExportPartDeps } from '../export/export.ts';
import { findOwner } from '../owner-store.ts';
import { accountCollections, markProcessed } from './store.ts';

export interface InboxDeps extends ExportPartDeps, Pick<AccountData, 'onSent'> {
  database: Database;
  /** Of the messages that notes sends. */
  messageKeys: KeyRing;
}

/** Handles the account messages that other services, and auth itself, send to auth. */
export function createInbox(deps: InboxDeps): (message: Message) => Promise<void> {
  const { database, prisma, onSent } = deps;
  const handleAccountData = accountDataHandler({
    service: 'auth',
    sql: database,
    // Auth has deleted its own rows before it sends this message.
    erase: async () => undefined,
    collections: (accountId) => accountCollections(prisma, accountId),
    onSent,
  });
  return async (message) => {
    switch (message.kind) {
      case 'export.part':
        await receiveExportPart(deps, message.accountId, message.data);
        return;
      case 'webhook.disabled':
        await sendWebhookDisabled(deps, message);
        return;
      case 'workspace.invited':
        await sendInvitation(deps, message);
        return;
      default:
        await handleAccountData(message);
    }
  };
}

/** In the language of the invited account, if there is one with that address. */
async function sendInvitation(
  { prisma, messageKeys, templates, enqueueEmail, wakeEmailSender }: InboxDeps,
  { id, accountId, data }: Extract<Message, { kind: 'workspace.invited' }>,
): Promise<void> {
  await transaction(prisma, async (tx, sql) => {
    const inviter = await tx.account.findUnique({
      where: { id: accountId },
      select: { name: true, username: true, language: true },
    });
    if (inviter === null || !(await markProcessed(tx, id))) return;
    const { email, ...invitation } = data;
    const token = messageKeys.decrypt(invitation.token, invitationContext(email));
    // Raw: the index is on the address in lower case.
    const [invited] = await sql.query<{ language: string }>(
      'SELECT language FROM accounts WHERE lower(email) = $1',
      [email],
    );
    const language = Value.Parse(Language, (invited ?? inviter).language);
    const content = templates.workspaceInvited(
      { email, language },
      { ...invitation, token, inviter },
    );
    await enqueueEmail(sql, 'workspace-invited', content);
  });
  wakeEmailSender();
}

/** Sends one email for each message, however often the message arrives. */
async function sendWebhookDisabled(
  { prisma, templates, enqueueEmail, wakeEmailSender }: InboxDeps,
  { id, accountId, data }: Extract<Message, { kind: 'webhook.disabled' }>,
): Promise<void> {
  await transaction(prisma, async (tx, sql) => {
    const owner = await findOwner(tx, accountId);
    if (owner === null || !(await markProcessed(tx, id))) return;
    const email = templates.webhookDisabled(owner, data);
    await enqueueEmail(sql, 'webhook-disabled', email);
  });
  wakeEmailSender();
}
