import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Tx } from '../database.ts';
import type { LoginAccount } from '../accounts/login-account-store.ts';
import { limitAttempts } from '../attempt-limiter.ts';
import type { RequestOrigin } from '../audit/entry.ts';
import type { AuditLog } from '../audit/record.ts';
import type { FactorChanges } from '../second-factor/changes.ts';
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
import type { Logins } from './logins.ts';

export interface SecondStepLoginDeps extends SecondStepDeps {
  rateLimiter: RateLimiter;
  audit: AuditLog;
  logins: Logins;
  factorChanges: Pick<FactorChanges, 'record'>;
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
  const { database } = deps;
  const { origin } = client;
  const accountId = await findChallengeAccount(database, mfaToken, deps.clockMs());
  const { fingerprint } = client.device;
  const isKnown = await hasPassedSecondStep(database, { accountId, fingerprint });
  const attempts = stepAttempts(accountId, given, isKnown ? fingerprint : undefined);
  return limitAttempts(deps.rateLimiter, attempts, async () => {
    const nowMs = deps.clockMs();
    await consumeChallengeAttempt(database, mfaToken, nowMs);
    const step = await checkStep(deps, { accountId, given, nowMs });
    const started =
      step.kind === 'wrong'
        ? 'refused'
        : await deps.logins.complete<never>({
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
              recordStep(deps, tx, { given, account, sessionId, origin, nowMs }),
          });
    if (started !== 'refused') {
      return started;
    }
    const reason = step.kind === 'wrong' ? step.reason : 'Code is wrong or has been used';
    const data = { factor: given.factor, reason };
    await deps.audit.record(database, { kind: 'factor.failed', accountId, origin, data });
    throw wrongStep(given.factor);
  });
}

async function recordStep(
  deps: SecondStepLoginDeps,
  tx: Tx,
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
    await deps.factorChanges.record(tx, { kind, requester, owner: account, nowMs });
  } else {
    const data = { factor: given.factor };
    await deps.audit.record(tx, { kind: 'factor.used', ...requester, data });
  }
}
