import { Language } from '@atrium/contracts/auth/profile';
import { invitationContext, type Message } from '@atrium/contracts/account-messages';
import { accountDataHandler } from '@atrium/service-kit/account-data';
import { originOf } from '@atrium/service-kit/database';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import Value from 'typebox/value';
import { receiveExportPart, type ExportPartDeps } from '../export/export.ts';
import { findOwner } from '../owner-store.ts';
import { accountCollections, markProcessed } from './store.ts';

export interface InboxDeps extends ExportPartDeps {
  /** Keys of the messages that notes sends. */
  messageKeys: KeyRing;
}

/** Handles the account messages that other services, and auth itself, send to auth. */
export function createInbox(deps: InboxDeps): (message: Message) => Promise<void> {
  const { database } = deps;
  const handleAccountData = accountDataHandler({
    service: 'auth',
    database,
    // Auth has deleted its own rows before it sends this message.
    erase: async () => undefined,
    collections: (accountId) => accountCollections(database, accountId),
  });
  return async (message) => {
    switch (message.kind) {
      case 'export.part':
        await receiveExportPart(deps, message);
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

/** Writes in the language of the invited account, if one has that email address. */
async function sendInvitation(
  { database, messageKeys, emails }: InboxDeps,
  message: Extract<Message, { kind: 'workspace.invited' }>,
): Promise<void> {
  const { id, accountId, data } = message;
  await database.transaction(originOf(message), async (tx) => {
    const inviter = await tx.prisma.account.findUnique({
      where: { id: accountId },
      select: { name: true, username: true, language: true },
    });
    if (inviter === null || !(await markProcessed(tx, id))) return;
    const { email, ...invitation } = data;
    const token = messageKeys.decrypt(invitation.token, invitationContext(email));
    // Raw: the index is on the address in lower case.
    const [invited] = await tx.query<{ language: string }>(
      'SELECT language FROM accounts WHERE lower(email) = $1',
      [email],
    );
    const language = Value.Parse(Language, (invited ?? inviter).language);
    const content = emails.templates.workspaceInvited(
      { email, language },
      { ...invitation, token, inviter },
    );
    await emails.enqueue(tx, 'workspace-invited', content);
  });
}

/** Sends one email for each message, however often the message arrives. */
async function sendWebhookDisabled(
  { database, emails }: InboxDeps,
  message: Extract<Message, { kind: 'webhook.disabled' }>,
): Promise<void> {
  const { id, accountId, data } = message;
  await database.transaction(originOf(message), async (tx) => {
    const owner = await findOwner(tx, accountId);
    if (owner === null || !(await markProcessed(tx, id))) return;
    const email = emails.templates.webhookDisabled(owner, data);
    await emails.enqueue(tx, 'webhook-disabled', email);
  });
}
