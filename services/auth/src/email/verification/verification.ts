import type { KeyRing } from '@atrium/service-kit/key-ring';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Database } from '../../database.ts';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { AuditLog } from '../../audit/record.ts';
import { deleteEmailTokens, findEmailTokenOwner } from '../tokens/store.ts';
import {
  findLinkProof,
  isProofValid,
  type LinkCredentials,
  type LinkProofDeps,
} from '../link-owner/proof.ts';
import { emailKey, RATE_LIMITS } from '../../rate-limits.ts';
import { enqueueVerification } from './message.ts';
import type { Emails } from '../outbox/store.ts';
import { markVerified } from '../../accounts/email-store.ts';
import { findInvitation } from '../../accounts/invitation-store.ts';
import type { Requester } from '../../accounts/requester.ts';
import { findBySession, lockAccount } from '../../accounts/store.ts';

const PURPOSE = 'verify-email';

export interface VerificationDeps extends LinkProofDeps {
  database: Database;
  keyRing: KeyRing;
  emails: Emails;
  audit: AuditLog;
  /** Sends the owner of an address a link to set a password. */
  requestPasswordReset: (email: string, origin: RequestOrigin) => Promise<void>;
  clockMs: () => number;
}

/**
 * Marks the address that the token was sent to as verified, when the request also comes from the
 * account's owner. Anyone else owns the mailbox but did not register: the account may be someone's who
 * used the address, so its password must not get verified. Setting another one by email verifies it.
 * The token works until it expires, because double clicks open a link more than once.
 *
 * @throws HttpError 401 for a wrong password, 403 without proof, 422 when the token is not valid
 */
export async function verifyEmail(
  deps: VerificationDeps,
  token: string,
  credentials: LinkCredentials,
): Promise<void> {
  const { database } = deps;
  const nowMs = deps.clockMs();
  const owner = await findEmailTokenOwner(database, { purpose: PURPOSE, token, nowMs });
  if (owner === undefined) {
    throw new HttpError('email-token-invalid');
  }
  const { accountId, email, isVerified } = owner;
  if (isVerified) {
    return;
  }
  const { origin } = credentials;
  const proof = await findLinkProof(deps, accountId, credentials);
  if (proof === undefined) {
    await deps.rateLimiter.consume(RATE_LIMITS.forgotByEmail, emailKey(email));
    await deps.requestPasswordReset(email, origin);
    throw new HttpError(
      'proof-required',
      'Log in, or send the password of the account, to verify the email address; ' +
        'a link to set a new password is on its way to it',
    );
  }
  await database.transaction(origin, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account === undefined || !(await isProofValid(tx, account, proof))) {
      throw new HttpError('session-ended');
    }
    if (await markVerified(tx, { accountId, email, nowMs })) {
      await deps.audit.record(tx, { kind: 'email.verified', accountId, origin });
    }
  });
}

export type Resend = 'sent' | 'already-verified';

/** Sends the verification email again, with a new token. Those of earlier ones are deleted. */
export function resendVerification(deps: VerificationDeps, requester: Requester): Promise<Resend> {
  const { accountId, origin } = requester;
  const nowMs = deps.clockMs();
  return deps.database.transaction(origin, async (tx) => {
    const account = await findBySession(tx, requester);
    if (account === undefined) {
      throw new HttpError('token-invalid');
    }
    const { email, language, isVerified } = account;
    if (isVerified) {
      return 'already-verified';
    }
    await deleteEmailTokens(tx, [PURPOSE], accountId);
    const invitation = await findInvitation(tx, deps.keyRing, { accountId, nowMs });
    await enqueueVerification(deps.emails, tx, { accountId, email, language, nowMs, invitation });
    return 'sent';
  });
}
