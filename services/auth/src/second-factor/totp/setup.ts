import type { OwnerProof } from '@atrium/contracts/auth/mfa';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { KeyRing } from '@atrium/service-kit/key-ring';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Database } from '../../database.ts';
import type { Requester } from '../../accounts/requester.ts';
import { lockBySession } from '../../accounts/store.ts';
import { limitAttempts } from '../../attempt-limiter.ts';
import type { AuditLog } from '../../audit/record.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { type FactorChanges, requireVerified } from '../changes.ts';
import {
  deleteUnneededRecoveryCodes,
  firstRecoveryCodes,
} from '../recovery-codes/recovery-codes.ts';
import { openSecret, sealSecret } from './check.ts';
import { newTotpSecret, stepsOf, toBase32, totpUri } from './code.ts';
import { confirmTotp, consumeConfirmAttempt, deleteTotp, startTotp } from './store.ts';

const ISSUER = 'Atrium';
const CONFIRM_WITHIN_MS = 15 * 60_000;
/** After this many wrong first codes the setup has to start again. */
const CONFIRM_ATTEMPTS_MAX = 5;
const DATA = { factor: 'totp' };

export interface TotpDeps {
  database: Database;
  keyRing: KeyRing;
  rateLimiter: RateLimiter;
  factorChanges: FactorChanges;
  audit: AuditLog;
  clockMs: () => number;
}

/**
 * Makes a secret for an authenticator app. It is not a factor until a code confirms it.
 *
 * @throws HttpError 401 when the re-authentication fails, 403 before the address is verified, 409 when
 * an app is set up already
 */
export function startSetup(
  deps: TotpDeps,
  requester: Requester,
  proof: OwnerProof,
): Promise<{ secret: string; uri: string }> {
  return deps.factorChanges.reauthenticate(requester, proof, async (tx, owner, nowMs) => {
    requireVerified(owner);
    const { accountId } = requester;
    const secret = newTotpSecret();
    const sealedSecret = sealSecret(deps.keyRing, accountId, secret);
    if (!(await startTotp(tx, { accountId, sealedSecret, nowMs }))) {
      throw new HttpError('authenticator-exists');
    }
    return { secret: toBase32(secret), uri: totpUri(ISSUER, owner.email, secret) };
  });
}

/**
 * Turns the factor on with the app's first code.
 *
 * @returns recovery codes, if the account had none
 * @throws HttpError 401 for a wrong code, 404 when no setup waits for a code, 429 after too many wrong
 * codes
 */
export function confirmSetup(
  deps: TotpDeps,
  requester: Requester,
  code: string,
): Promise<string[] | null> {
  const attempt = { rule: RATE_LIMITS.confirmTotp, key: requester.sessionId };
  return limitAttempts(deps.rateLimiter, [attempt], () => confirm(deps, requester, code));
}

async function confirm(
  deps: TotpDeps,
  requester: Requester,
  code: string,
): Promise<string[] | null> {
  const { database, keyRing } = deps;
  const { accountId } = requester;
  const nowMs = deps.clockMs();
  const since = new Date(nowMs - CONFIRM_WITHIN_MS);
  const setup = { accountId, since, attemptsMax: CONFIRM_ATTEMPTS_MAX };
  const sealedSecret = await consumeConfirmAttempt(database, setup);
  if (sealedSecret === undefined) {
    throw notFound('Authenticator app to confirm');
  }
  const step = stepsOf(openSecret(keyRing, accountId, sealedSecret), code, nowMs).at(-1);
  if (step === undefined) {
    await deps.audit.record(database, { kind: 'factor.failed', ...requester, data: DATA });
    throw new HttpError('code-wrong');
  }
  return database.transaction(requester.origin, async (tx) => {
    const owner = await lockBySession(tx, requester);
    if (owner === undefined) {
      throw new HttpError('token-invalid');
    }
    if (!(await confirmTotp(tx, { accountId, sealedSecret, step, nowMs }))) {
      throw notFound('Authenticator app to confirm');
    }
    const recoveryCodes = await firstRecoveryCodes(tx, accountId, nowMs);
    const change = { kind: 'factor.added', requester, owner, data: DATA, nowMs } as const;
    await deps.factorChanges.record(tx, change);
    return recoveryCodes;
  });
}

/** @throws HttpError 401 when the re-authentication fails, 404 when no app is set up */
export function removeTotp(deps: TotpDeps, requester: Requester, proof: OwnerProof): Promise<void> {
  return deps.factorChanges.reauthenticate(requester, proof, async (tx, owner, nowMs) => {
    if (!(await deleteTotp(tx, requester.accountId))) {
      throw notFound('Authenticator app');
    }
    await deleteUnneededRecoveryCodes(tx, requester.accountId);
    const change = { kind: 'factor.removed', requester, owner, data: DATA, nowMs } as const;
    await deps.factorChanges.record(tx, change);
  });
}
