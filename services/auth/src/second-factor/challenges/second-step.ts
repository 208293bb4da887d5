import type { SecondStep } from '@atrium/contracts/mfa';
import type { AssertionCredential } from '@atrium/contracts/passkeys';
import type { Sql } from '@atrium/service-kit/database';
import { unauthorized, validationError } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { Guess } from '../../attempt-limiter.ts';
import { checkAssertion } from '../passkeys/assertion.ts';
import type { RelyingParty } from '../passkeys/relying-party.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { hashRecoveryCode } from '../recovery-codes/codes.ts';
import { useRecoveryCode } from '../recovery-codes/store.ts';
import { checkCode } from '../totp/check.ts';
import type { FactorName, UseFactor } from '../factor.ts';

export interface SecondStepDeps {
  database: Sql;
  keyRing: KeyRing;
  relyingParty: RelyingParty;
}

export type GivenStep =
  | { factor: 'totp'; code: string }
  | { factor: 'recovery-code'; code: string }
  | { factor: 'passkey'; credential: AssertionCredential };

/**
 * What somebody offers as the second factor; undefined when it is nothing.
 *
 * @throws HttpError 422 when it is several things at once
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
 * What to count a step under. Codes can be guessed, by whoever has the password; a signature not.
 *
 * @param knownDevice fingerprint of a device that has passed a second step before: it has a budget
 * of its own, which no stranger can use up
 */
export function guessesOf(accountId: string, { factor }: GivenStep, knownDevice?: Buffer): Guess[] {
  if (factor === 'passkey') {
    return [];
  }
  const isCode = factor === 'totp';
  if (knownDevice === undefined) {
    const rule = isCode ? RATE_LIMITS.mfaByAccount : RATE_LIMITS.recoveryByAccount;
    return [{ rule, key: accountId }];
  }
  const rule = isCode ? RATE_LIMITS.mfaByKnownDevice : RATE_LIMITS.recoveryByKnownDevice;
  return [{ rule, key: `${accountId}:${knownDevice.toString('base64url')}`, clears: true }];
}

export type CheckedStep =
  | { kind: 'fits'; use: UseFactor }
  /** The reason is for the audit trail. */
  | { kind: 'wrong'; reason: string };

/** Whether a step fits the account. It has not happened before `use` says so. */
export async function checkStep(
  deps: SecondStepDeps,
  { accountId, given, nowMs }: { accountId: string; given: GivenStep; nowMs: number },
): Promise<CheckedStep> {
  switch (given.factor) {
    case 'totp': {
      const use = await checkCode(deps, { accountId, code: given.code, nowMs });
      return use === undefined ? { kind: 'wrong', reason: 'Code is wrong' } : { kind: 'fits', use };
    }
    case 'recovery-code': {
      const hash = hashRecoveryCode(given.code);
      return { kind: 'fits', use: (tx) => useRecoveryCode(tx, accountId, hash) };
    }
    case 'passkey': {
      const assertion = await checkAssertion(deps, given.credential, {
        use: { purpose: 'second-step', accountId },
        // The password has been checked: that somebody holds the passkey is what is missing.
        requireUserVerification: false,
        nowMs,
      });
      return assertion.kind === 'verified'
        ? { kind: 'fits', use: assertion.use }
        : { kind: 'wrong', reason: assertion.reason };
    }
  }
}

export function wrongStep(factor: FactorName) {
  return unauthorized(
    factor === 'passkey' ? 'Passkey was not accepted' : 'Code is wrong or has been used',
  );
}
