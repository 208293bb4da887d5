import type { Language } from '@atrium/contracts/profile';
import type { Sql } from '@atrium/service-kit/database';
import type { EnqueueEmail } from '../outbox/store.ts';
import type { EmailTemplates } from '../templates/templates.ts';
import { createEmailToken } from '../tokens/store.ts';

/** Sends a verification link, and a second one for someone who did not sign up. */
export async function enqueueVerification(
  { templates, enqueueEmail }: { templates: EmailTemplates; enqueueEmail: EnqueueEmail },
  tx: Sql,
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
  const message = templates.verifyEmail(account, {
    token,
    revokeAccessToken,
    invitation: account.invitation,
  });
  await enqueueEmail(tx, 'verify-email', message);
}
