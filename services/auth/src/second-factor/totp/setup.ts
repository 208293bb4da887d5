import type { OwnerProof } from '@atrium/contracts/mfa';
import { conflict, notFound, unauthorized } from '@atrium/service-kit/http-error';
import { countGuess } from '../../attempt-limiter.ts';
import {
  type ChangeDeps,
  dropIdleRecoveryCodes,
  firstRecoveryCodes,
  reportChange,
  requireVerified,
} from '../changes.ts';
import { asOwner, type OwnerClaim, type OwnerDeps } from '../challenges/re-authentication.ts';
import { wrongStep } from '../challenges/second-step.ts';
import { lockBySession } from '../../accounts/store.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { openSecret, sealSecret } from './check.ts';
import { newTotpSecret, stepsOf, toBase32, totpUri } from './code.ts';
import { confirmTotp, deleteTotp, startTotp, tryUnconfirmedTotp } from './store.ts';

const ISSUER = 'Atrium';
/** How long an app may take to show its first code. */
const CONFIRM_WITHIN_MS = 15 * 60_000;
/** First codes that may be wrong; then the setup begins anew. */
const TRIES_MAX = 5;
const DATA = { factor: 'totp' };

export type TotpDeps = OwnerDeps & ChangeDeps;

/**
 * Makes a secret for an authenticator app. It protects nothing before a code confirms it.
 *
 * @throws HttpError 401 when the proof does not hold, 403 before the address is verified, 409 when
 * an app is set up already
 */
export function startSetup(
  deps: TotpDeps,
  claim: OwnerClaim,
  proof: OwnerProof,
): Promise<{ secret: string; uri: string }> {
  return asOwner(deps, claim, proof, async (tx, owner, nowMs) => {
    requireVerified(owner);
    const { accountId } = claim;
    const secret = newTotpSecret();
    const sealedSecret = sealSecret(deps.keyRing, accountId, secret);
    if (!(await startTotp(tx, { accountId, sealedSecret, nowMs }))) {
      throw conflict('An authenticator app is set up already');
    }
    return { secret: toBase32(secret), uri: totpUri(ISSUER, owner.email, secret) };
  });
}

/**
 * Turns the factor on with the first code of the app.
 *
 * @returns recovery codes, if the account had none
 * @throws HttpError 401 for a wrong code, 404 when there is nothing to confirm any more, 429 after too
 * many wrong codes
 */
export function confirmSetup(
  deps: TotpDeps,
  claim: OwnerClaim,
  code: string,
): Promise<string[] | null> {
  const guess = { rule: RATE_LIMITS.confirmTotp, key: claim.sessionId };
  return countGuess(deps.rateLimiter, [guess], () => confirm(deps, claim, code));
}

async function confirm(deps: TotpDeps, claim: OwnerClaim, code: string): Promise<string[] | null> {
  const { accountId } = claim;
  const nowMs = deps.clockMs();
  const since = new Date(nowMs - CONFIRM_WITHIN_MS);
  const setup = { accountId, since, triesMax: TRIES_MAX };
  const sealedSecret = await tryUnconfirmedTotp(deps.database, setup);
  if (sealedSecret === undefined) {
    throw notFound('Authenticator app to confirm');
  }
  const step = stepsOf(openSecret(deps.keyRing, accountId, sealedSecret), code, nowMs).at(-1);
  if (step === undefined) {
    await deps.recordAudit(deps.database, { kind: 'factor.failed', ...claim, data: DATA, nowMs });
    throw wrongStep('totp');
  }
  return deps.database.transaction(async (tx) => {
    const owner = await lockBySession(tx, claim);
    if (owner === undefined) {
      throw unauthorized('Invalid token');
    }
    if (!(await confirmTotp(tx, { accountId, sealedSecret, step, nowMs }))) {
      throw notFound('Authenticator app to confirm');
    }
    const recoveryCodes = await firstRecoveryCodes(tx, accountId, nowMs);
    await reportChange(deps, tx, { kind: 'factor.added', claim, owner, data: DATA, nowMs });
    return recoveryCodes;
  });
}

/** @throws HttpError 401 when the proof does not hold, 404 when no app is set up */
export function removeTotp(deps: TotpDeps, claim: OwnerClaim, proof: OwnerProof): Promise<void> {
  return asOwner(deps, claim, proof, async (tx, owner, nowMs) => {
    if (!(await deleteTotp(tx, claim.accountId))) {
      throw notFound('Authenticator app');
    }
    await dropIdleRecoveryCodes(tx, claim.accountId);
    await reportChange(deps, tx, { kind: 'factor.removed', claim, owner, data: DATA, nowMs });
  });
}
