import type { MfaRequired } from '@atrium/contracts/auth/mfa';
import { HttpError } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { Database } from '../database.ts';
import type { FoundAccount } from '../accounts/login-account-store.ts';
import type { AuditLog } from '../audit/record.ts';
import { verifyPassword } from '../passwords/verify-password.ts';
import type { Client } from '../sessions/client.ts';
import type { StartedSession } from '../sessions/start-session.ts';
import type { Logins } from './logins.ts';
import { askSecondFactor } from './second-factor-step.ts';

export interface PasswordLoginDeps {
  database: Database;
  hasher: PasswordHasher;
  audit: AuditLog;
  logins: Logins;
  clockMs: () => number;
}

/**
 * Starts a session for a right password or, when the account has a second factor, asks for that.
 *
 * @throws HttpError 401, the same for an unknown address and a wrong password
 */
export async function logInWithPassword(
  deps: PasswordLoginDeps,
  login: { found: FoundAccount | undefined; password: string; client: Client },
): Promise<StartedSession | MfaRequired> {
  const { found, password, client } = login;
  const { origin } = client;
  const passwordHash = await verifyPassword(deps, found, password);
  if (found === undefined || passwordHash === undefined) {
    // One row whether or not the address is known, so that timing reveals nothing.
    const accountId = found?.id ?? null;
    await deps.audit.record(deps.database, { kind: 'login.failed', accountId, origin });
    throw wrongCredentials();
  }
  const { id: accountId } = found;
  const nowMs = deps.clockMs();
  const outcome = await deps.logins.complete<MfaRequired>({
    accountId,
    client,
    nowMs,
    passedSecondFactor: false,
    async prove(tx, account) {
      if (account.passwordHash !== passwordHash) {
        return 'refused';
      }
      return askSecondFactor(tx, deps.audit, { accountId, origin, nowMs });
    },
  });
  if (outcome === 'refused') {
    throw wrongCredentials();
  }
  return outcome;
}

function wrongCredentials() {
  return new HttpError('credentials-wrong');
}
