import { accountSuspended } from '@atrium/service-kit/http-error';
import { type LoginAccount, lockLoginAccount } from '../accounts/login-account-store.ts';
import { type PrismaClient, type Tx, transaction } from '../transaction-store.ts';
import type { Client } from '../sessions/client.ts';
import {
  type StartedSession,
  startSession,
  type StartSessionDeps,
} from '../sessions/start-session.ts';

export interface CompleteLoginDeps extends StartSessionDeps {
  prisma: PrismaClient;
}

export interface Login<NextStep> {
  accountId: string;
  client: Client;
  nowMs: number;
  passedSecondFactor: boolean;
  /** Consumes what the login has proved. `NextStep` is the answer when something is still missing. */
  prove: (tx: Tx, account: LoginAccount) => Promise<'proved' | 'refused' | NextStep>;
  onStarted?: (tx: Tx, session: StartedSession) => Promise<void>;
}

/**
 * The end of every login, whatever it proves: in one transaction the account is locked, the proof is
 * consumed, and the session starts. A person who has proved that the account is theirs is told that it is
 * suspended.
 *
 * @throws HttpError 403 when it is suspended
 */
export async function completeLogin<NextStep extends object = never>(
  deps: CompleteLoginDeps,
  { accountId, client, nowMs, passedSecondFactor, prove, onStarted }: Login<NextStep>,
): Promise<StartedSession | 'refused' | NextStep> {
  const outcome = await transaction(deps.prisma, async (tx, sql) => {
    const account = await lockLoginAccount(sql, accountId);
    if (account === undefined) {
      return 'refused';
    }
    const verdict = await prove(tx, account);
    if (verdict !== 'proved') {
      return verdict;
    }
    if (account.suspendedAt !== null) {
      const data = { reason: 'Account is suspended' };
      const entry = { kind: 'login.failed', accountId, origin: client.origin, data } as const;
      await deps.recordAudit(sql, { ...entry, nowMs });
      return 'suspended';
    }
    const session = await startSession(deps, tx, { account, client, passedSecondFactor, nowMs });
    await onStarted?.(tx, session);
    return session;
  });
  if (outcome === 'suspended') throw accountSuspended();
  return outcome;
}
