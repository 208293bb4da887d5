import type { SuspiciousLoginData } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import { appendEvent } from '@atrium/events/outbox';
import type { Database, Sql } from '@atrium/service-kit/database';
import { unauthorized } from '@atrium/service-kit/http-error';
import type { PostMail } from '../mail/outbox.ts';
import type { MailTemplates } from '../mail/templates.ts';
import type { PasswordHasher } from '../passwords/hasher.ts';
import type { Device } from './device.ts';
import { newRefreshToken } from './refresh-token.ts';
import {
  findByEmail,
  insertSession,
  lockForLogin,
  type LoginAccount,
  recordDevice,
} from './store.ts';

export interface LoginDeps {
  database: Database;
  hasher: PasswordHasher;
  templates: MailTemplates;
  postMail: PostMail;
  clockMs: () => number;
}

export interface LoginAttempt {
  email: string;
  password: string;
  device: Device;
  ipAddress: string;
  requestId: string;
}

export interface Login {
  account: LoginAccount;
  sessionId: string;
  refreshToken: string;
  nowMs: number;
  /** An event and a mail were written: their senders want to be woken. */
  isSuspicious: boolean;
}

/**
 * Logs in. A device that the account has not used before makes an event and a mail, in the
 * transaction that makes the session; the first login ever does not.
 *
 * @throws HttpError 401, the same for an unknown address and a wrong password
 */
export async function logIn(deps: LoginDeps, attempt: LoginAttempt): Promise<Login> {
  const found = await findByEmail(deps.database, attempt.email);
  const isRight = await deps.hasher.verify(found?.passwordHash, attempt.password);
  if (found === undefined || !isRight) {
    throw wrongCredentials();
  }
  const nowMs = deps.clockMs();
  return deps.database.transaction(async (tx) => {
    if (!(await lockForLogin(tx, found))) {
      throw wrongCredentials();
    }
    const sessionId = newId('ses', nowMs);
    const refreshToken = newRefreshToken();
    const { device, ipAddress } = attempt;
    const sighting = await recordDevice(tx, found.id, device, nowMs);
    const accountId = found.id;
    await insertSession(tx, { id: sessionId, accountId, device, ipAddress, refreshToken, nowMs });
    const isSuspicious = sighting === 'new';
    if (isSuspicious) {
      await report(deps, tx, { account: found, sessionId, attempt, nowMs });
    }
    return { account: found, sessionId, refreshToken, nowMs, isSuspicious };
  });
}

function wrongCredentials() {
  return unauthorized('Invalid email or password');
}

async function report(
  { templates, postMail }: LoginDeps,
  tx: Sql,
  login: { account: LoginAccount; sessionId: string; attempt: LoginAttempt; nowMs: number },
): Promise<void> {
  const { account, sessionId, attempt, nowMs } = login;
  const data: SuspiciousLoginData = {
    userId: account.id,
    sessionId,
    browser: attempt.device.browser,
    os: attempt.device.os,
    ipAddress: attempt.ipAddress,
    loggedInAt: new Date(nowMs).toISOString(),
  };
  await appendEvent(tx, {
    event: 'auth.suspicious_login',
    accountId: account.id,
    data,
    requestId: attempt.requestId,
    nowMs,
  });
  await postMail(
    tx,
    'suspicious-login',
    templates.suspiciousLogin(account.email, account.name, data),
  );
}
