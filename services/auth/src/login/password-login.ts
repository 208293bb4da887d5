import type { MfaRequired } from '@atrium/contracts/mfa';
import type { Database } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { RequestOrigin } from '../audit/entry.ts';
import { holdLogin } from '../second-factor/challenges/challenge.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import { upgradeHash } from '../passwords/upgrade.ts';
import { type KnownDeviceDeps, startAtKnownDevice } from './known-device.ts';
import type { FoundAccount } from './known-device-store.ts';
import {
  type SessionWish,
  type StartedSession,
  startSession,
  type StartSessionDeps,
} from '../sessions/start-session.ts';
import { lockForLogin, type LoginAccount } from '../sessions/store.ts';

export interface LoginDeps extends StartSessionDeps, KnownDeviceDeps {
  database: Database;
  hasher: PasswordHasher;
  clockMs: () => number;
}

export interface LoginAttempt extends Omit<SessionWish, 'account' | 'nowMs'> {
  /** Whom the address belongs to, if anybody. */
  found: FoundAccount | undefined;
  password: string;
}

/**
 * Logs in: a right password starts a session or, when the account has a second factor, asks for it.
 *
 * @throws HttpError 401, the same for an unknown address and a wrong password
 */
export async function logIn(
  deps: LoginDeps,
  attempt: LoginAttempt,
): Promise<StartedSession | MfaRequired> {
  const account = await checkPassword(deps, attempt);
  const nowMs = deps.clockMs();
  if (attempt.found?.isKnownDevice === true) {
    const started = await startAtKnownDevice(deps, { ...attempt, account, nowMs });
    if (started !== undefined) {
      return started;
    }
  }
  return deps.database.transaction(async (tx) => {
    if (!(await lockForLogin(tx, account))) {
      throw wrongCredentials();
    }
    const mfaToken = await holdLogin(tx, account.id, nowMs);
    if (mfaToken === undefined) {
      return startSession(deps, tx, { ...attempt, account, nowMs });
    }
    const { id: accountId } = account;
    const kind = 'login.second_step_required';
    await deps.recordAudit(tx, { kind, accountId, origin: originOf(attempt), nowMs });
    return { mfaRequired: true, mfaToken };
  });
}

async function checkPassword(deps: LoginDeps, attempt: LoginAttempt): Promise<LoginAccount> {
  const { found, password } = attempt;
  const isRight = await deps.hasher.verify(found?.passwordHash, password);
  if (found !== undefined && isRight) {
    return { ...found, passwordHash: await upgradeHash(deps, found, password) };
  }
  // One row whether the address is known or not: the clock tells nothing either.
  await deps.recordAudit(deps.database, {
    kind: 'login.failed',
    accountId: found?.id ?? null,
    origin: originOf(attempt),
    nowMs: deps.clockMs(),
  });
  throw wrongCredentials();
}

function originOf({ ipAddress, requestId, device }: LoginAttempt): RequestOrigin {
  return { ipAddress, requestId, device: `${device.browser} on ${device.os}` };
}

function wrongCredentials() {
  return unauthorized('Invalid email or password');
}
