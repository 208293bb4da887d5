import type { Language } from '@atrium/contracts/auth/profile';
import type { Tx } from '../../database.ts';
import type { Emails } from '../outbox/store.ts';
import { createEmailToken } from '../tokens/store.ts';

/** Sends a verification link, and a second one for someone who did not sign up. */
export async function enqueueVerification(
  emails: Emails,
  tx: Tx,
  account: {
    accountId: string;
    email: string;
    language: Language;
    nowMs: number;
    /** The token of an invitation, to which the page then leads. */
    invitation?: string | undefined;
  },
): Promise<void> {
  const token = await createEmailToken(tx, { purpose: 'verify-email', ...account });
  const revokeAccessToken = await createEmailToken(tx, { purpose: 'revoke-access', ...account });
  const message = emails.templates.verifyEmail(account, {
    token,
    revokeAccessToken,
    invitation: account.invitation,
  });
  await emails.enqueue(tx, 'verify-email', message);
}
