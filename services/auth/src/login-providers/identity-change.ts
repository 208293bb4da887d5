import type { Requester } from '../accounts/requester.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Tx } from '../database.ts';
import type { Emails } from '../email/outbox/store.ts';
import type { Recipient } from '../email/templates/content.ts';
import { createEmailToken } from '../email/tokens/store.ts';

export interface IdentityChange {
  isLinked: boolean;
  requester: Requester;
  owner: Recipient;
  /** Its name. */
  provider: string;
  nowMs: number;
}

/** Records that a provider was linked or removed, and notifies the owner by email. */
export type RecordIdentityChange = (tx: Tx, change: IdentityChange) => Promise<void>;

export function createIdentityChangeRecorder({
  audit,
  emails,
}: {
  audit: AuditLog;
  emails: Emails;
}): RecordIdentityChange {
  return async (tx, { isLinked, requester, owner, provider, nowMs }) => {
    const kind = isLinked ? 'identity.linked' : 'identity.unlinked';
    await audit.record(tx, { kind, ...requester, data: { provider } });
    const { accountId } = requester;
    const token = { purpose: 'revoke-access', accountId, email: owner.email, nowMs } as const;
    const revokeAccessToken = await createEmailToken(tx, token);
    const content = emails.templates.loginProviderChanged(owner, {
      provider,
      isLinked,
      revokeAccessToken,
    });
    await emails.enqueue(tx, 'login-provider-changed', content);
  };
}
