import { newId } from '@atrium/contracts/ids';
import type { MfaRequired } from '@atrium/contracts/mfa';
import { type Database, sqlOf } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { PasswordHasher } from '@atrium/service-kit/password-hasher';
import type { FoundAccount } from '../accounts/login-account-store.ts';
import type { LogAudit } from '../audit/record.ts';
import { verifyPassword } from '../passwords/verify-password.ts';
import { createMfaChallenge } from '../second-factor/challenges/challenge.ts';
import type { Client } from '../sessions/client.ts';
import { newRefreshToken } from '../sessions/refresh-token.ts';
import { loginEntry, type NewSession, type StartedSession } from '../sessions/start-session.ts';
import { completeLogin, type CompleteLoginDeps } from './complete-login.ts';
import { insertKnownDeviceLogin } from './known-device-store.ts';

export interface PasswordLoginDeps extends CompleteLoginDeps {
  database: Database;
  hasher: PasswordHasher;
  logAudit: LogAudit;
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
  const passwordHash = await verifyPassword(deps, found, password);
  const nowMs = deps.clockMs();
  if (found === undefined || passwordHash === undefined) {
    // One row whether or not the address is known, so that timing reveals nothing.
    const accountId = found?.id ?? null;
    const entry = { kind: 'login.failed', accountId, origin: client.origin, nowMs } as const;
    await deps.recordAudit(deps.database, entry);
    throw wrongCredentials();
  }
  if (found.isKnownDevice && client.replacedToken === undefined) {
    const account = { ...found, passwordHash };
    const session = { account, client, passedSecondFactor: false, nowMs };
    const started = await startAtKnownDevice(deps, session);
    if (started !== undefined) {
      return started;
    }
  }
  const { id: accountId } = found;
  const outcome = await completeLogin<MfaRequired>(deps, {
    accountId,
    client,
    nowMs,
    passedSecondFactor: false,
    async prove(tx, account) {
      if (account.passwordHash !== passwordHash) {
        return 'refused';
      }
      const mfaToken = await createMfaChallenge(tx, accountId, nowMs);
      if (mfaToken === undefined) {
        return 'proved';
      }
      const entry = {
        kind: 'login.second_step_required',
        accountId,
        origin: client.origin,
      } as const;
      await deps.recordAudit(sqlOf(tx), { ...entry, nowMs });
      return { mfaRequired: true, mfaToken };
    },
  });
  if (outcome === 'refused') {
    throw wrongCredentials();
  }
  return outcome;
}

/**
 * The most frequent login takes one statement instead of a transaction of seven.
 *
 * @returns undefined, with nothing changed, when the login needs the transaction
 */
async function startAtKnownDevice(
  { database, logAudit, accessTokenTtlSeconds }: PasswordLoginDeps,
  session: NewSession,
): Promise<StartedSession | undefined> {
  const { account, nowMs } = session;
  const { device } = session.client;
  const sessionId = newId('ses', nowMs);
  const refreshToken = newRefreshToken();
  const auditId = newId('aud', nowMs);
  const login = { ...session, sessionId, refreshToken, accessTokenTtlSeconds, auditId };
  if (!(await insertKnownDeviceLogin(database, login))) {
    return undefined;
  }
  logAudit(auditId, loginEntry(session, sessionId, false));
  const isUnknownDevice = false;
  const replacedSession = false;
  return { account, device, sessionId, refreshToken, nowMs, isUnknownDevice, replacedSession };
}

function wrongCredentials() {
  return unauthorized('Invalid email or password');
}
