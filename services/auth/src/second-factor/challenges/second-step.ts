import type { SecondStep } from '@atrium/contracts/auth/mfa';
import type { AssertionCredential } from '@atrium/contracts/auth/passkeys';
import { HttpError, validationError } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Database } from '../../database.ts';
import type { Attempt } from '../../attempt-limiter.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import type { ConsumeFactor, FactorName } from '../factor.ts';
import { checkAssertion } from '../passkeys/assertion.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import { consumeRecoveryCode } from '../recovery-codes/recovery-codes.ts';
import { checkCode } from '../totp/check.ts';

export interface SecondStepDeps {
  database: Database;
  keyRing: KeyRing;
  relyingParty: RelyingParty;
}

export type GivenStep =
  | { factor: 'totp'; code: string }
  | { factor: 'recovery-code'; code: string }
  | { factor: 'passkey'; credential: AssertionCredential };

/**
 * The factor that a request offers, if any.
 *
 * @throws HttpError 422 when it offers more than one
 */
export function readStep({ code, recoveryCode, passkey }: SecondStep): GivenStep | undefined {
  const given: GivenStep[] = [];
  if (code !== undefined) given.push({ factor: 'totp', code });
  if (recoveryCode !== undefined) given.push({ factor: 'recovery-code', code: recoveryCode });
  if (passkey !== undefined) given.push({ factor: 'passkey', credential: passkey });
  if (given.length > 1) {
    throw validationError('Only one of code, recoveryCode and passkey may be given');
  }
  return given[0];
}

/**
 * The limits that a second step counts against. Codes can be guessed; signatures cannot.
 *
 * @param knownDevice fingerprint of a device that has passed a second step before: it has a limit of
 * its own, which an attacker cannot use up
 */
export function stepAttempts(
  accountId: string,
  { factor }: GivenStep,
  knownDevice?: Buffer,
): Attempt[] {
  if (factor === 'passkey') {
    return [];
  }
  const isCode = factor === 'totp';
  if (knownDevice === undefined) {
    const rule = isCode ? RATE_LIMITS.mfaByAccount : RATE_LIMITS.recoveryByAccount;
    return [{ rule, key: accountId }];
  }
  const rule = isCode ? RATE_LIMITS.mfaByKnownDevice : RATE_LIMITS.recoveryByKnownDevice;
  const key = `${accountId}:${knownDevice.toString('base64url')}`;
  return [{ rule, key, clearsOnSuccess: true }];
}

export type CheckedStep =
  | { kind: 'right'; consume: ConsumeFactor }
  /** The reason is for the audit trail. */
  | { kind: 'wrong'; reason: string };

/** Checks a second step. A right one counts only once it has been consumed. */
export async function checkStep(
  deps: SecondStepDeps,
  { accountId, given, nowMs }: { accountId: string; given: GivenStep; nowMs: number },
): Promise<CheckedStep> {
  switch (given.factor) {
    case 'totp': {
      const consume = await checkCode(deps, { accountId, code: given.code, nowMs });
      return consume === undefined
        ? { kind: 'wrong', reason: 'Code is wrong' }
        : { kind: 'right', consume };
    }
    case 'recovery-code':
      return { kind: 'right', consume: (tx) => consumeRecoveryCode(tx, accountId, given.code) };
    case 'passkey': {
      const assertion = await checkAssertion(deps, given.credential, {
        use: { purpose: 'second-step', accountId },
        // The password was checked; possession of the passkey is what is missing.
        requireUserVerification: false,
        nowMs,
      });
      return assertion.kind === 'verified'
        ? { kind: 'right', consume: assertion.consume }
        : { kind: 'wrong', reason: assertion.reason };
    }
  }
}

export function wrongStep(factor: FactorName) {
  return new HttpError(factor === 'passkey' ? 'passkey-refused' : 'code-wrong');
}
