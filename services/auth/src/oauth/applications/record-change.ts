import type { AuditData, AuditKind } from '@atrium/contracts/auth/audit';
import type { Requester } from '../../accounts/requester.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Tx } from '../../database.ts';
import type { Emails } from '../../email/outbox/store.ts';
import type { Recipient } from '../../email/templates/content.ts';
import type { ApplicationChangeKind } from '../../email/templates/texts.ts';
import { createEmailToken } from '../../email/tokens/store.ts';

interface ApplicationChange {
  kind: AuditKind;
  requester: Requester;
  owner: Recipient;
  application: { id: string; name: string };
  /** What the email lists. If it is empty, no email is sent. */
  changes: readonly ApplicationChangeKind[];
  data?: AuditData;
  nowMs: number;
}

/** Records a change of an application in the audit trail. Sends its owner an email that lists `changes`. */
export async function recordApplicationChange(
  { audit, emails }: { audit: AuditLog; emails: Emails },
  tx: Tx,
  { kind, requester, owner, application, changes, data = {}, nowMs }: ApplicationChange,
): Promise<void> {
  const { id: applicationId, name: applicationName } = application;
  await audit.record(tx, { kind, ...requester, data: { name: applicationName, ...data } });
  if (changes.length === 0) return;
  const { accountId } = requester;
  const token = { purpose: 'revoke-access', accountId, email: owner.email, nowMs } as const;
  const revokeAccessToken = await createEmailToken(tx, token);
  const content = emails.templates.applicationChanged(owner, {
    applicationId,
    applicationName,
    changes,
    revokeAccessToken,
  });
  await emails.enqueue(tx, 'application-changed', content);
}
