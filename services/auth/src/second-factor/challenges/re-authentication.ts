import { sqlOf } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import { lockBySession } from '../../accounts/store.ts';
import { limitAttempts } from '../../attempt-limiter.ts';
import type { RecordAudit } from '../../audit/record.ts';
import { transaction } from '../../transaction-store.ts';
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
  recordAudit: RecordAudit;
  clockMs: () => number;
}

export function createReauthentication(deps: ReauthenticationDeps): Reauthenticate {
  const { database, prisma, rateLimiter, recordAudit } = deps;
  return async (requester, proof, change) => {
    const given = readStep(proof);
    const owner = await checkCurrentPassword(deps, requester, proof.password, () =>
      unauthorized('Password is wrong'),
    );
    const nowMs = deps.clockMs();
    const changeWith = (consume: ConsumeFactor) =>
      transaction(prisma, async (tx, sql) => {
        const current = await lockBySession(sql, requester);
        if (current?.passwordHash !== owner.passwordHash) {
          throw unauthorized('Invalid token');
        }
        return (await consume(tx)) ? { result: await change(tx, owner, nowMs) } : undefined;
      });

    if (given === undefined) {
      const done = await changeWith(
        async (tx) => !isSecondFactorOn(await findFactors(tx, owner.id)),
      );
      if (done === undefined) {
        throw unauthorized('A second factor is required: give code, recoveryCode or passkey');
      }
      return done.result;
    }
    const { factor } = given;
    const entry = { ...requester, data: { factor }, nowMs };
    const kind = factor === 'recovery-code' ? 'recovery_code.used' : 'factor.used';
    return limitAttempts(rateLimiter, stepAttempts(owner.id, given), async () => {
      const step = await checkStep(deps, { accountId: owner.id, given, nowMs });
      const done =
        step.kind === 'wrong'
          ? undefined
          : await changeWith(async (tx) => {
              const isConsumed = await step.consume(tx);
              if (isConsumed) {
                await recordAudit(sqlOf(tx), { kind, ...entry });
              }
              return isConsumed;
            });
      if (done === undefined) {
        await recordAudit(database, { kind: 'factor.failed', ...entry });
        throw wrongStep(factor);
      }
      return done.result;
    });
  };
}
