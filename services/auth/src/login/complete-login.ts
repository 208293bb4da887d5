import { HttpError } from '@atrium/service-kit/http-error';
import { type LoginAccount, lockLoginAccount } from '../accounts/login-account-store.ts';
import type { Database, Tx } from '../database.ts';
import type { Client } from '../sessions/client.ts';
import {
  type StartedSession,
  startSession,
  type StartSessionDeps,
} from '../sessions/start-session.ts';

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
export type CompleteLogin = <NextStep extends object = never>(
  login: Login<NextStep>,
) => Promise<StartedSession | 'refused' | NextStep>;

export function createLoginCompletion(
  deps: StartSessionDeps & { database: Database },
): CompleteLogin {
  return async ({ accountId, client, nowMs, passedSecondFactor, prove, onStarted }) => {
    const { origin } = client;
    const outcome = await deps.database.transaction(origin, async (tx) => {
      const account = await lockLoginAccount(tx, accountId);
      if (account === undefined) {
        return 'refused';
      }
      const verdict = await prove(tx, account);
      if (verdict !== 'proved') {
        return verdict;
      }
      if (account.suspendedAt !== null) {
        const data = { reason: 'Account is suspended' };
        await deps.audit.record(tx, { kind: 'login.failed', accountId, origin, data });
        return 'suspended';
      }
      const session = await startSession(deps, tx, { account, client, passedSecondFactor, nowMs });
      await onStarted?.(tx, session);
      return session;
    });
    if (outcome === 'suspended') throw new HttpError('account-suspended');
    return outcome;
  };
}
