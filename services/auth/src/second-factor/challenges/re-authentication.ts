import type { OwnerProof } from '@atrium/contracts/mfa';
import type { Database, Sql } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { RequestOrigin } from '../../audit/entry.ts';
import type { RecordAudit } from '../../audit/record.ts';
import { countGuess, countHash } from '../../attempt-limiter.ts';
import type { PasswordHasher } from '../../passwords/hasher.ts';
import { findBySession, lockAccount, type PasswordAccount } from '../../accounts/store.ts';
import { RATE_LIMITS } from '../../rate-limits.ts';
import { isSecondFactorOn, type UseFactor } from '../factor.ts';
import { checkStep, guessesOf, readStep, type SecondStepDeps, wrongStep } from './second-step.ts';
import { findFactors } from '../store.ts';

export interface OwnerDeps extends SecondStepDeps {
  database: Database;
  hasher: PasswordHasher;
  rateLimiter: RateLimiter;
  recordAudit: RecordAudit;
  clockMs: () => number;
}

/** Somebody logged in who wants to change what protects the account. */
export interface OwnerClaim {
  accountId: string;
  sessionId: string;
  origin: RequestOrigin;
}

/**
 * Runs `work`, which changes the account's factors, in one transaction with the proof that its owner
 * asks: the password, and the second factor where there is one. A session alone, perhaps stolen,
 * changes nothing.
 *
 * @throws HttpError 401 when the proof does not hold, 429 after too many that did not
 */
export async function asOwner<Result>(
  deps: OwnerDeps,
  claim: OwnerClaim,
  proof: OwnerProof,
  work: (tx: Sql, owner: PasswordAccount, nowMs: number) => Promise<Result>,
): Promise<Result> {
  const given = readStep(proof);
  const owner = await confirmPassword(deps, claim, proof.password);
  const nowMs = deps.clockMs();
  const change = (use: UseFactor) =>
    deps.database.transaction(async (tx) => {
      await lockAccount(tx, owner.id);
      const current = await findBySession(tx, claim);
      if (current?.passwordHash !== owner.passwordHash) {
        throw unauthorized('Invalid token');
      }
      return (await use(tx)) ? { result: await work(tx, owner, nowMs) } : undefined;
    });

  if (given === undefined) {
    const done = await change(async (tx) => !isSecondFactorOn(await findFactors(tx, owner.id)));
    if (done === undefined) {
      throw unauthorized('A second factor is required: give code, recoveryCode or passkey');
    }
    return done.result;
  }
  const { factor } = given;
  const event = { ...claim, data: { factor }, nowMs };
  const kind = factor === 'recovery-code' ? 'recovery_code.used' : 'factor.used';
  return countGuess(deps.rateLimiter, guessesOf(owner.id, given), async () => {
    const step = await checkStep(deps, { accountId: owner.id, given, nowMs });
    const done =
      step.kind === 'fits'
        ? await change(async (tx) => {
            const isUsed = await step.use(tx);
            if (isUsed) {
              await deps.recordAudit(tx, { kind, ...event });
            }
            return isUsed;
          })
        : undefined;
    if (done === undefined) {
      await deps.recordAudit(deps.database, { kind: 'factor.failed', ...event });
      throw wrongStep(factor);
    }
    return done.result;
  });
}

async function confirmPassword(
  deps: OwnerDeps,
  claim: OwnerClaim,
  password: string,
): Promise<PasswordAccount> {
  const guess = { rule: RATE_LIMITS.confirmPassword, key: claim.sessionId };
  return countGuess(deps.rateLimiter, [guess], async () => {
    const { ipAddress } = claim.origin;
    await countHash(deps.rateLimiter, { accountId: claim.accountId, ipAddress });
    const account = await findBySession(deps.database, claim);
    if (account === undefined) {
      throw unauthorized('Invalid token');
    }
    if (!(await deps.hasher.verify(account.passwordHash, password))) {
      throw unauthorized('Password is wrong');
    }
    return account;
  });
}
