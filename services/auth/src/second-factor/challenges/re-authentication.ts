import { HttpError } from '@atrium/service-kit/http-error';
import { lockBySession } from '../../accounts/store.ts';
import { limitAttempts } from '../../attempt-limiter.ts';
import type { AuditLog } from '../../audit/record.ts';
import type { Database } from '../../database.ts';
import { checkCurrentPassword, type PasswordCheckDeps } from '../../passwords/confirm-password.ts';
import type { Reauthenticate } from '../changes.ts';
import { type ConsumeFactor, isSecondFactorOn } from '../factor.ts';
import { findFactors } from '../store.ts';
import {
  checkStep,
  readStep,
  type SecondStepDeps,
  stepAttempts,
  wrongStep,
} from './second-step.ts';

export interface ReauthenticationDeps extends SecondStepDeps, PasswordCheckDeps {
  database: Database;
  audit: AuditLog;
  clockMs: () => number;
}

export function createReauthentication(deps: ReauthenticationDeps): Reauthenticate {
  const { database, rateLimiter, audit } = deps;
  return async (requester, proof, change) => {
    const given = readStep(proof);
    const owner = await checkCurrentPassword(
      deps,
      requester,
      proof.password,
      () => new HttpError('password-wrong'),
    );
    const nowMs = deps.clockMs();
    const changeWith = (consume: ConsumeFactor) =>
      database.transaction(requester.origin, async (tx) => {
        const current = await lockBySession(tx, requester);
        if (current?.passwordHash !== owner.passwordHash) {
          throw new HttpError('token-invalid');
        }
        return (await consume(tx)) ? { result: await change(tx, owner, nowMs) } : undefined;
      });

    if (given === undefined) {
      const done = await changeWith(
        async (tx) => !isSecondFactorOn(await findFactors(tx, owner.id)),
      );
      if (done === undefined) {
        throw new HttpError('second-factor-required');
      }
      return done.result;
    }
    const { factor } = given;
    const entry = { ...requester, data: { factor } };
    const kind = factor === 'recovery-code' ? 'recovery_code.used' : 'factor.used';
    return limitAttempts(rateLimiter, stepAttempts(owner.id, given), async () => {
      const step = await checkStep(deps, { accountId: owner.id, given, nowMs });
      const done =
        step.kind === 'wrong'
          ? undefined
          : await changeWith(async (tx) => {
              const isConsumed = await step.consume(tx);
              if (isConsumed) {
                await audit.record(tx, { kind, ...entry });
              }
              return isConsumed;
            });
      if (done === undefined) {
        await audit.record(database, { kind: 'factor.failed', ...entry });
        throw wrongStep(factor);
      }
      return done.result;
    });
  };
}
