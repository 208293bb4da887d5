import type { Database } from '@atrium/service-kit/database';
import { validationError } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import { markVerified } from '../email/verification/store.ts';
import {
  deleteEmailTokens,
  findEmailTokenOwner,
  createEmailToken,
  consumeEmailToken,
} from '../email/tokens/store.ts';
import type { EnqueueDecoyEmail, EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import { dropPlanted } from './remove-access.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import type { CheckNewPassword } from '../passwords/password-rules.ts';
import { findByEmail, lockAccount, replacePassword } from '../accounts/store.ts';

const PURPOSE = 'reset-password';
const DECOY_TOKEN = 'x'.repeat(43);

export interface ForgottenDeps {
  database: Database;
  hasher: PasswordHasher;
  checkNewPassword: CheckNewPassword;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  enqueueDecoyEmail: EnqueueDecoyEmail;
  clockMs: () => number;
}

/**
 * Posts a mail with a reset link, if the address has an account. Nobody learns whether it has: an
 * unknown address costs a transaction of the same kind.
 */
export async function requestReset(
  deps: ForgottenDeps,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  const nowMs = deps.clockMs();
  const account = await findByEmail(deps.database, email);
  await deps.database.transaction(async (tx) => {
    const accountId = account?.id ?? null;
    await deps.recordAudit(tx, { kind: 'password.reset_requested', accountId, origin, nowMs });
    if (account === undefined) {
      await deps.enqueueDecoyEmail(tx, deps.templates.resetPassword(email, '', DECOY_TOKEN));
      return;
    }
    const link = { purpose: PURPOSE, accountId: account.id, email: account.email, nowMs } as const;
    const token = await createEmailToken(tx, link);
    const mail = deps.templates.resetPassword(account.email, account.name, token);
    await deps.enqueueEmail(tx, PURPOSE, mail);
  });
}

/**
 * Sets the password that goes with a reset link, once, and ends all sessions. The link proves the
 * mailbox too: where nobody had, factors and devices go, for they may be those of somebody who
 * registered with another's address.
 *
 * @throws HttpError 422 when the link does not hold or the password is refused
 */
export async function resetPassword(
  deps: ForgottenDeps,
  { token, password }: { token: string; password: string },
  origin: RequestOrigin,
): Promise<{ accountId: string; email: string }> {
  const nowMs = deps.clockMs();
  const link = { purpose: PURPOSE, token, nowMs } as const;
  const owner = await findEmailTokenOwner(deps.database, link);
  if (owner === undefined) {
    throw invalidToken();
  }
  const { accountId, name, username, email } = owner;
  deps.checkNewPassword({ password, field: 'Password', username, email });
  const passwordHash = await deps.hasher.hash(password);
  await deps.database.transaction(async (tx) => {
    // The account first, as when a password is changed: the other order could deadlock.
    await lockAccount(tx, accountId);
    if ((await consumeEmailToken(tx, { purposes: [PURPOSE], token, nowMs })) === undefined) {
      throw invalidToken();
    }
    await replacePassword(tx, { accountId, passwordHash, nowMs });
    const entry = { accountId, origin, nowMs };
    if (await markVerified(tx, { accountId, email, nowMs })) {
      // Only now has anybody proved to own the address: what is there may be somebody else's.
      await dropPlanted(deps, tx, { ...entry, since: new Date(0) });
      await deps.recordAudit(tx, { kind: 'email.verified', ...entry });
    }
    await deleteEmailTokens(tx, [PURPOSE, 'confirm-email'], accountId);
    const revokeAccessToken = await createEmailToken(tx, {
      purpose: 'revoke-access',
      accountId,
      email,
      nowMs,
    });
    const notice = deps.templates.passwordChanged(email, name, revokeAccessToken);
    await deps.enqueueEmail(tx, 'password-changed', notice);
    await deps.recordAudit(tx, { kind: 'password.reset', ...entry });
  });
  return { accountId, email };
}

function invalidToken() {
  return validationError('Token is invalid or has expired');
}
