import type { Database } from '@atrium/service-kit/database';
import { unauthorized, validationError } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import { deleteEmailTokens, findEmailTokenOwner, createEmailToken } from '../tokens/store.ts';
import type { EnqueueEmail } from '../outbox/store.ts';
import type { EmailTemplates } from '../templates/templates.ts';
import { markVerified } from '../../accounts/email-store.ts';
import { findBySession } from '../../accounts/store.ts';

const PURPOSE = 'verify-email';

export interface VerificationDeps {
  database: Database;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * Marks the address that the token was sent to as verified. The token works until it expires, because
 * mail scanners and double clicks open a link more than once.
 *
 * @throws HttpError 422 when the token is not valid
 */
export async function verifyEmail(
  { database, recordAudit, clockMs }: VerificationDeps,
  token: string,
  origin: RequestOrigin,
): Promise<void> {
  const nowMs = clockMs();
  const owner = await findEmailTokenOwner(database, { purpose: PURPOSE, token, nowMs });
  if (owner === undefined) {
    throw validationError('Token is invalid or has expired');
  }
  const { accountId, email } = owner;
  await database.transaction(async (tx) => {
    if (await markVerified(tx, { accountId, email, nowMs })) {
      await recordAudit(tx, { kind: 'email.verified', accountId, origin, nowMs });
    }
  });
}

export type Resend = 'sent' | 'already-verified';

/** Sends a new verification email. The tokens of earlier ones are deleted. */
export function resendVerification(
  deps: VerificationDeps,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<Resend> {
  const nowMs = deps.clockMs();
  return deps.database.transaction(async (tx) => {
    const account = await findBySession(tx, { accountId, sessionId });
    if (account === undefined) {
      throw unauthorized('Invalid token');
    }
    const { email, isVerified } = account;
    if (isVerified) {
      return 'already-verified';
    }
    await deleteEmailTokens(tx, [PURPOSE], accountId);
    const token = await createEmailToken(tx, { purpose: PURPOSE, accountId, email, nowMs });
    await deps.enqueueEmail(tx, PURPOSE, deps.templates.verifyEmail(email, token));
    return 'sent';
  });
}
