import type { Sql } from '@atrium/service-kit/database';
import { validationError } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import { markVerified } from '../accounts/email-store.ts';
import { setPasswordHash } from '../accounts/password-store.ts';
import { findByEmail, lockAccount } from '../accounts/store.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import type { EnqueueDecoyEmail } from '../email/outbox/store.ts';
import {
  consumeEmailToken,
  createEmailToken,
  deleteEmailTokens,
  findEmailTokenOwner,
} from '../email/tokens/store.ts';
import { type PrismaClient, transaction } from '../transaction-store.ts';
import { enqueuePasswordNotice, type PasswordNoticeDeps } from '../passwords/change.ts';
import type { CheckNewPassword } from '../passwords/password-rules.ts';
import { revokeAccess } from '../second-factor/challenges/revoke-access.ts';
import { removeAccessSince } from './remove-access.ts';

const PURPOSE = 'reset-password';
const DECOY_TOKEN = 'x'.repeat(43);

export interface PasswordResetDeps extends PasswordNoticeDeps {
  database: Sql;
  prisma: PrismaClient;
  hasher: PasswordHasher;
  checkNewPassword: CheckNewPassword;
  enqueueDecoyEmail: EnqueueDecoyEmail;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/**
 * Mails a reset link if the address has an account. An unknown address costs a transaction of the same
 * kind, so that timing does not reveal which addresses have one.
 */
export async function requestPasswordReset(
  deps: PasswordResetDeps,
  email: string,
  origin: RequestOrigin,
): Promise<void> {
  const nowMs = deps.clockMs();
  const account = await findByEmail(deps.database, email);
  await transaction(deps.prisma, async (_tx, sql) => {
    const accountId = account?.id ?? null;
    await deps.recordAudit(sql, { kind: 'password.reset_requested', accountId, origin, nowMs });
    if (account === undefined) {
      await deps.enqueueDecoyEmail(
        sql,
        deps.templates.resetPassword({ email, name: '', language: 'en' }, DECOY_TOKEN),
      );
      return;
    }
    const { id, email: to } = account;
    const token = await createEmailToken(sql, {
      purpose: PURPOSE,
      accountId: id,
      email: to,
      nowMs,
    });
    await deps.enqueueEmail(sql, PURPOSE, deps.templates.resetPassword(account, token));
  });
}

/**
 * Sets a new password with a reset token, once, and revokes all access. The token also proves the
 * address: on its first proof, factors and devices are removed, because they may belong to someone who
 * registered with another person's address.
 *
 * @throws HttpError 422 when the token is invalid or the password is refused
 */
export async function resetPassword(
  deps: PasswordResetDeps,
  { token, password }: { token: string; password: string },
  origin: RequestOrigin,
): Promise<{ accountId: string; email: string }> {
  const nowMs = deps.clockMs();
  const owner = await findEmailTokenOwner(deps.database, { purpose: PURPOSE, token, nowMs });
  if (owner === undefined) {
    throw invalidToken();
  }
  const { accountId, username, email } = owner;
  deps.checkNewPassword({ password, field: 'Password', username, email });
  const passwordHash = await deps.hasher.hash(password);
  await transaction(deps.prisma, async (tx, sql) => {
    // The account is locked first, as in every change: another order could deadlock.
    await lockAccount(sql, accountId);
    if ((await consumeEmailToken(sql, { purposes: [PURPOSE], token, nowMs })) === undefined) {
      throw invalidToken();
    }
    await setPasswordHash(tx, { accountId, passwordHash, nowMs });
    await revokeAccess(tx, { accountId, nowMs });
    const entry = { accountId, origin, nowMs };
    if (await markVerified(sql, { accountId, email, nowMs })) {
      await removeAccessSince(deps, tx, { ...entry, since: new Date(0) });
      await deps.recordAudit(sql, { kind: 'email.verified', ...entry });
    }
    await deleteEmailTokens(sql, [PURPOSE, 'confirm-email'], accountId);
    await enqueuePasswordNotice(deps, sql, { ...owner, id: accountId, nowMs });
    await deps.recordAudit(sql, { kind: 'password.reset', ...entry });
  });
  return { accountId, email };
}

function invalidToken() {
  return validationError('Token is invalid or has expired');
}
