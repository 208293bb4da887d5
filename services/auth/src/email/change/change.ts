import { HttpError } from '@atrium/service-kit/http-error';
import type { OwnerProof } from '@atrium/contracts/auth/mfa';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Database, Tx } from '../../database.ts';
import type { AuditLog } from '../../audit/record.ts';
import {
  deleteEmailTokens,
  findEmailTokenAccount,
  createEmailToken,
  consumeEmailToken,
} from '../tokens/store.ts';
import { findLinkProof, isProofValid, type LinkCredentials } from '../link-owner/proof.ts';
import type { Emails } from '../outbox/store.ts';
import type { Requester } from '../../accounts/requester.ts';
import { type Account, findByEmail, lockAccount } from '../../accounts/store.ts';
import { isEmailTaken, setVerifiedEmail } from '../../accounts/email-store.ts';
import type { Reauthenticate } from '../../second-factor/changes.ts';

const PURPOSE = 'confirm-email';

export interface EmailChangeDeps {
  database: Database;
  reauthenticate: Reauthenticate;
  rateLimiter: RateLimiter;
  hasher: Pick<PasswordHasher, 'verify'>;
  emails: Emails;
  audit: AuditLog;
  clockMs: () => number;
}

/**
 * Sends a link to the new address and a notice to the current one, after re-authentication. An address that
 * is already taken gets the same response, and its owner a notice instead of the link.
 *
 * @throws HttpError 401 when re-authentication fails, 422 for the present address
 */
export async function requestEmailChange(
  deps: EmailChangeDeps,
  requester: Requester,
  { email, ...proof }: OwnerProof & { email: string },
): Promise<void> {
  const { emails } = deps;
  const { accountId } = requester;
  await deps.reauthenticate(requester, proof, async (tx, account, nowMs) => {
    if (email.toLowerCase() === account.email.toLowerCase()) {
      throw new HttpError('email-unchanged');
    }
    await deleteEmailTokens(tx, [PURPOSE], accountId);
    const owner = await findByEmail(tx, email);
    // Created in both cases, so that they take equally long. The token of a taken address is never sent.
    const token = await createEmailToken(tx, { purpose: PURPOSE, accountId, email, nowMs });
    const { language } = account;
    await (owner === undefined
      ? emails.enqueue(tx, PURPOSE, emails.templates.confirmEmail({ email, language }, token))
      : emails.enqueue(tx, 'email-taken', emails.templates.emailTaken(owner)));
    const { email: to } = account;
    const revokeAccessToken = await createEmailToken(tx, {
      purpose: 'revoke-access',
      accountId,
      email: to,
      nowMs,
    });
    const notice = emails.templates.emailChangeRequested(account, {
      newEmail: email,
      revokeAccessToken,
    });
    await emails.enqueue(tx, 'email-change-requested', notice);
    await deps.audit.record(tx, { kind: 'email.change_requested', ...requester });
  });
}

/**
 * Changes the address with the token that was sent to the new one, when the request also comes from the
 * account's owner: the new address may be mistyped, or someone's who never asked for it. Tokens sent to
 * the previous address are deleted. It gets a notice with a new one, which can restore it.
 *
 * @throws HttpError 401 for a wrong password, 403 without proof, 422 when the token is not valid
 */
export async function confirmEmailChange(
  deps: EmailChangeDeps,
  token: string,
  credentials: LinkCredentials,
): Promise<void> {
  const nowMs = deps.clockMs();
  const query = { purposes: [PURPOSE] as ['confirm-email'], token, nowMs };
  const accountId = await findEmailTokenAccount(deps.database, query);
  if (accountId === undefined) {
    throw new HttpError('email-token-invalid');
  }
  const proof = await findLinkProof(deps, accountId, credentials);
  if (proof === undefined) {
    throw new HttpError(
      'proof-required',
      'Log in, or send the password of the account, to change its email address',
    );
  }
  const { origin } = credentials;
  const change = deps.database.transaction(origin, async (tx) => {
    const account = await lockAccount(tx, accountId);
    if (account === undefined || !(await isProofValid(tx, account, proof))) {
      throw new HttpError('session-ended');
    }
    const taken = await consumeEmailToken(tx, query);
    if (taken === undefined) {
      throw new HttpError('email-token-invalid');
    }
    const { email } = taken;
    if (!(await setVerifiedEmail(tx, { accountId, email, nowMs }))) {
      throw new HttpError('email-token-invalid');
    }
    await deleteEmailTokens(tx, ['verify-email', 'reset-password', PURPOSE], accountId);
    await notifyPreviousEmail(deps, { tx, account, newEmail: email, nowMs });
    await deps.audit.record(tx, { kind: 'email.changed', accountId, origin });
  });
  await change.catch((error: unknown) => {
    throw isEmailTaken(error) ? new HttpError('email-token-invalid') : error;
  });
}

async function notifyPreviousEmail(
  { emails }: EmailChangeDeps,
  change: {
    tx: Tx;
    account: Account;
    newEmail: string;
    nowMs: number;
  },
): Promise<void> {
  const { tx, account, newEmail, nowMs } = change;
  const { id: accountId, email, isVerified } = account;
  // Only a verified email address can be restored: any other may belong to another person.
  const purpose = isVerified ? 'revert-email' : 'revoke-access';
  const revokeAccessToken = await createEmailToken(tx, { purpose, accountId, email, nowMs });
  const notice = { newEmail, revokeAccessToken, canRevert: isVerified };
  await emails.enqueue(tx, 'email-changed', emails.templates.emailChanged(account, notice));
}
