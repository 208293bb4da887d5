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
  /** Consumes what the login has proved. `NextStep` is the answer when something is still missing. */
  prove: (tx: Tx, account: LoginAccount) => Promise<'proved' | 'refused' | NextStep>;
  onStarted?: (tx: Tx, session: StartedSession) => Promise<void>;
}

/**
 * The end of every login, whatever it proves: in one transaction the account is locked, the proof is
 * consumed, and the session starts.
 */
export function completeLogin<NextStep extends object = never>(
  deps: CompleteLoginDeps,
  { accountId, client, nowMs, prove, onStarted }: Login<NextStep>,
): Promise<StartedSession | 'refused' | NextStep> {
  return transaction(deps.prisma, async (tx, sql) => {
    const account = await lockLoginAccount(sql, accountId);
    if (account === undefined) {
      return 'refused';
    }
    const verdict = await prove(tx, account);
    if (verdict !== 'proved') {
      return verdict;
    }
    const session = await startSession(deps, tx, { account, client, nowMs });
    await onStarted?.(tx, session);
    return session;
  });
}
