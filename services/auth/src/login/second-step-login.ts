import { type Database, type Sql, sqlOf } from '@atrium/service-kit/database';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { LoginAccount } from '../accounts/login-account-store.ts';
import { limitAttempts } from '../attempt-limiter.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { RecordFactorChange } from '../second-factor/changes.ts';
import {
  consumeChallengeAttempt,
  deleteChallenge,
  findChallengeAccount,
  loginExpired,
} from '../second-factor/challenges/challenge.ts';
import {
  checkStep,
  type GivenStep,
  type SecondStepDeps,
  stepAttempts,
  wrongStep,
} from '../second-factor/challenges/second-step.ts';
import { hasPassedSecondStep } from '../second-factor/store.ts';
import type { Client } from '../sessions/client.ts';
import type { StartedSession } from '../sessions/start-session.ts';
import { completeLogin, type CompleteLoginDeps } from './complete-login.ts';

export interface SecondStepLoginDeps extends SecondStepDeps, CompleteLoginDeps {
  database: Database;
  rateLimiter: RateLimiter;
  recordFactorChange: RecordFactorChange;
  clockMs: () => number;
}

/**
 * Completes a login whose password was right. The factor and the MFA challenge are consumed in one
 * transaction, so only one of several parallel requests succeeds.
 *
 * @throws HttpError 401 for an invalid token or step, 429 after too many wrong codes
 */
export async function logInWithSecondStep(
  deps: SecondStepLoginDeps,
  { mfaToken, given, client }: { mfaToken: string; given: GivenStep; client: Client },
): Promise<StartedSession> {
  const { prisma } = deps;
  const { origin } = client;
  const accountId = await findChallengeAccount(prisma, mfaToken, deps.clockMs());
  const { fingerprint } = client.device;
  const isKnown = await hasPassedSecondStep(deps.database, { accountId, fingerprint });
  const attempts = stepAttempts(accountId, given, isKnown ? fingerprint : undefined);
  return limitAttempts(deps.rateLimiter, attempts, async () => {
    const nowMs = deps.clockMs();
    await consumeChallengeAttempt(prisma, mfaToken, nowMs);
    const step = await checkStep(deps, { accountId, given, nowMs });
    const started =
      step.kind === 'wrong'
        ? 'refused'
        : await completeLogin<never>(deps, {
            accountId,
            client,
            nowMs,
            passedSecondFactor: true,
            async prove(tx) {
              if (!(await step.consume(tx))) {
                return 'refused';
              }
              if (!(await deleteChallenge(tx, mfaToken))) {
                // Rolls back, so the factor stays unused.
                throw loginExpired();
              }
              return 'proved';
            },
            onStarted: (tx, { account, sessionId }) =>
              recordStep(deps, sqlOf(tx), { given, account, sessionId, origin, nowMs }),
          });
    if (started !== 'refused') {
      return started;
    }
    const reason = step.kind === 'wrong' ? step.reason : 'Code is wrong or has been used';
    const data = { factor: given.factor, reason };
    const entry = { kind: 'factor.failed', accountId, origin, data, nowMs } as const;
    await deps.recordAudit(deps.database, entry);
    throw wrongStep(given.factor);
  });
}

async function recordStep(
  deps: SecondStepLoginDeps,
  tx: Sql,
  step: {
    given: GivenStep;
    account: LoginAccount;
    sessionId: string;
    origin: RequestOrigin;
    nowMs: number;
  },
): Promise<void> {
  const { given, account, sessionId, origin, nowMs } = step;
  const requester = { accountId: account.id, sessionId, origin };
  if (given.factor === 'recovery-code') {
    const kind = 'recovery_code.used';
    await deps.recordFactorChange(tx, { kind, requester, owner: account, nowMs });
  } else {
    const data = { factor: given.factor };
    await deps.recordAudit(tx, { kind: 'factor.used', ...requester, data, nowMs });
  }
}
