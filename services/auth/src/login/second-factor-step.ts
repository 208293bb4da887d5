import type { MfaRequired } from '@atrium/contracts/auth/mfa';
import type { RequestOrigin } from '../audit/entry.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Tx } from '../database.ts';
import { createMfaChallenge } from '../second-factor/challenges/challenge.ts';

/** What the first step of a login leads to: the second one, for an account that has it. */
export async function askSecondFactor(
  tx: Tx,
  audit: AuditLog,
  {
    accountId,
    origin,
    nowMs,
  }: {
    accountId: string;
    origin: RequestOrigin;
    nowMs: number;
  },
): Promise<'proved' | MfaRequired> {
  const mfaToken = await createMfaChallenge(tx, accountId, nowMs);
  if (mfaToken === undefined) return 'proved';
  await audit.record(tx, { kind: 'login.second_step_required', accountId, origin });
  return { mfaRequired: true, mfaToken };
}
