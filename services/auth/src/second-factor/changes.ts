import type { AuditData } from '@atrium/contracts/auth/audit';
import type { OwnerProof } from '@atrium/contracts/auth/mfa';
import { HttpError } from '@atrium/service-kit/http-error';
import type { Tx } from '../database.ts';
import type { Requester } from '../accounts/requester.ts';
import type { Account } from '../accounts/store.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Emails } from '../email/outbox/store.ts';
import type { Recipient } from '../email/templates/content.ts';
import type { FactorChangeKind } from '../email/templates/texts.ts';
import { createEmailToken } from '../email/tokens/store.ts';

/**
 * Runs `change` in one transaction with the re-authentication of its requester: the password, and the
 * second factor if there is one. A session alone may be stolen and allows nothing.
 *
 * @throws HttpError 401 when the proof is wrong, 429 after too many wrong ones
 */
export type Reauthenticate = <Result>(
  requester: Requester,
  proof: OwnerProof,
  change: (tx: Tx, owner: Account, nowMs: number) => Promise<Result>,
) => Promise<Result>;

/** Why it refuses, beside an invalid token. */
export const PROOF_CODES = [
  'password-wrong',
  'second-factor-required',
  'code-wrong',
  'passkey-refused',
] as const;

export interface FactorChange {
  kind: FactorChangeKind;
  requester: Requester;
  owner: Recipient;
  data?: AuditData;
  nowMs: number;
}

/** Records a change of factors, or the use of a recovery code, and notifies the owner by email. */
export type RecordFactorChange = (tx: Tx, change: FactorChange) => Promise<void>;

/** What every change of the factors of an account needs. */
export interface FactorChanges {
  reauthenticate: Reauthenticate;
  record: RecordFactorChange;
}

export function createFactorChangeRecorder({
  audit,
  emails,
}: {
  audit: AuditLog;
  emails: Emails;
}): RecordFactorChange {
  return async (tx, { kind, requester, owner, data = {}, nowMs }) => {
    const { accountId } = requester;
    const { email } = owner;
    await audit.record(tx, { kind, ...requester, data });
    const token = await createEmailToken(tx, { purpose: 'revoke-access', accountId, email, nowMs });
    const notice = { change: kind, revokeAccessToken: token };
    await emails.enqueue(
      tx,
      'second-factor-changed',
      emails.templates.secondFactorChanged(owner, notice),
    );
  };
}

/**
 * Keeps someone who registered with another person's address from locking the owner out. The
 * account decides, not the access token, which may predate the verification.
 *
 * @throws HttpError 403
 */
export function requireVerified({ isVerified }: { isVerified: boolean }): void {
  if (!isVerified) {
    throw new HttpError('email-not-verified');
  }
}
