import type { Database, Sql } from '@atrium/service-kit/database';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { RequestOrigin } from '../audit/entry.ts';
import { countGuess } from '../attempt-limiter.ts';
import { hasShownFactor } from '../sessions/device-trust-store.ts';
import {
  type SessionWish,
  type StartedSession,
  startSession,
  type StartSessionDeps,
} from '../sessions/start-session.ts';
import { lockById, type LoginAccount } from '../sessions/store.ts';
import { reportChange } from '../second-factor/changes.ts';
import {
  hashMfaToken,
  loginExpired,
  ownerOfPendingLogin,
  spendTry,
} from '../second-factor/challenges/challenge.ts';
import {
  checkStep,
  type GivenStep,
  guessesOf,
  type SecondStepDeps,
  wrongStep,
} from '../second-factor/challenges/second-step.ts';
import { deletePendingLogin } from '../second-factor/store.ts';

export interface CompleteLoginDeps extends SecondStepDeps, StartSessionDeps {
  database: Database;
  rateLimiter: RateLimiter;
  clockMs: () => number;
}

export interface LoginCompletion {
  mfaToken: string;
  given: GivenStep;
  client: Omit<SessionWish, 'account' | 'nowMs'>;
  origin: RequestOrigin;
}

/**
 * Takes the second step of a login and starts its session. Factor and token are used up with it, in
 * one transaction: of parallel requests one succeeds.
 *
 * @throws HttpError 401 for a token or a step that does not hold, 429 after too many wrong codes
 */
export async function completeLogin(
  deps: CompleteLoginDeps,
  completion: LoginCompletion,
): Promise<StartedSession> {
  const { mfaToken, given } = completion;
  const accountId = await ownerOfPendingLogin(deps.database, mfaToken, deps.clockMs());
  const { fingerprint } = completion.client.device;
  const isKnown = await hasShownFactor(deps.database, { accountId, fingerprint });
  const guesses = guessesOf(accountId, given, isKnown ? fingerprint : undefined);
  return countGuess(deps.rateLimiter, guesses, async () => {
    const nowMs = deps.clockMs();
    await spendTry(deps.database, mfaToken, nowMs);
    const step = await checkStep(deps, { accountId, given, nowMs });
    const started =
      step.kind === 'fits'
        ? await deps.database.transaction(async (tx) => {
            const account = await lockById(tx, accountId);
            return account !== undefined && (await step.use(tx))
              ? start(deps, tx, { ...completion, account, nowMs })
              : null;
          })
        : null;
    if (started === null) {
      const reason = step.kind === 'wrong' ? step.reason : 'Code is wrong or has been used';
      await deps.recordAudit(deps.database, {
        kind: 'factor.failed',
        accountId,
        origin: completion.origin,
        data: { factor: given.factor, reason },
        nowMs,
      });
      throw wrongStep(given.factor);
    }
    return started;
  });
}

async function start(
  deps: CompleteLoginDeps,
  tx: Sql,
  completion: LoginCompletion & { account: LoginAccount; nowMs: number },
): Promise<StartedSession> {
  const { account, nowMs, given, origin, client } = completion;
  if (!(await deletePendingLogin(tx, hashMfaToken(completion.mfaToken)))) {
    throw loginExpired();
  }
  const started = await startSession(deps, tx, { ...client, account, nowMs });
  const claim = { accountId: account.id, sessionId: started.sessionId, origin };
  if (given.factor === 'recovery-code') {
    await reportChange(deps, tx, { kind: 'recovery_code.used', claim, owner: account, nowMs });
  } else {
    const data = { factor: given.factor };
    await deps.recordAudit(tx, { kind: 'factor.used', ...claim, data, nowMs });
  }
  return started;
}
