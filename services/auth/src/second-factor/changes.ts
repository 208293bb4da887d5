import type { AuditData } from '@atrium/contracts/audit';
import type { Sql } from '@atrium/service-kit/database';
import { emailNotVerified } from '@atrium/service-kit/http-error';
import type { RecordAudit } from '../audit/record.ts';
import { createEmailToken } from '../email/tokens/store.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes/codes.ts';
import { deleteRecoveryCodes, replaceRecoveryCodes } from './recovery-codes/store.ts';
import { isSecondFactorOn } from './factor.ts';
import type { OwnerClaim } from './challenges/re-authentication.ts';
import { findFactors } from './store.ts';

export interface ChangeDeps {
  recordAudit: RecordAudit;
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
}

const WORDS = {
  'factor.added': 'a second factor was added to your account',
  'factor.removed': 'a second factor was removed from your account',
  'recovery_codes.renewed': 'new recovery codes were made for your account',
  'recovery_code.used': 'a recovery code was used to log in to your account',
} as const;

export interface FactorChange {
  kind: keyof typeof WORDS;
  claim: OwnerClaim;
  owner: { email: string; name: string };
  data?: AuditData;
  nowMs: number;
}

/** Records a change of factors, a used recovery code among them, and tells the owner by mail. */
export async function reportChange(deps: ChangeDeps, tx: Sql, change: FactorChange): Promise<void> {
  const { kind, claim, owner, data = {}, nowMs } = change;
  const { accountId } = claim;
  const { email, name } = owner;
  await deps.recordAudit(tx, { kind, ...claim, data, nowMs });
  const revokeAccessToken = await createEmailToken(tx, {
    purpose: 'revoke-access',
    accountId,
    email,
    nowMs,
  });
  const mail = deps.templates.secondFactorChanged(email, name, {
    change: WORDS[kind],
    revokeAccessToken,
  });
  await deps.enqueueEmail(tx, 'second-factor-changed', mail);
}

/**
 * Whoever registered with somebody else's address must not be able to lock its owner out. Read from
 * the account, not from the access token: opening the link in the mail is enough.
 *
 * @throws HttpError 403
 */
export function requireVerified({ isVerified }: { isVerified: boolean }): void {
  if (!isVerified) {
    throw emailNotVerified();
  }
}

/** Ten new recovery codes; the ones before are void. */
export async function renewRecoveryCodes(
  tx: Sql,
  accountId: string,
  nowMs: number,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  await replaceRecoveryCodes(tx, { accountId, hashes: codes.map(hashRecoveryCode), nowMs });
  return codes;
}

/** Recovery codes to go with a new factor; null when the account still has some. */
export async function firstRecoveryCodes(
  tx: Sql,
  accountId: string,
  nowMs: number,
): Promise<string[] | null> {
  const { recoveryCodes } = await findFactors(tx, accountId);
  return recoveryCodes > 0 ? null : renewRecoveryCodes(tx, accountId, nowMs);
}

/** Recovery codes recover from the loss of a factor: without one they are nothing. */
export async function dropIdleRecoveryCodes(tx: Sql, accountId: string): Promise<void> {
  if (!isSecondFactorOn(await findFactors(tx, accountId))) {
    await deleteRecoveryCodes(tx, accountId);
  }
}
