import type { SuspiciousLoginData } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import type { Tx } from '../database.ts';
import type { LoginAccount } from '../accounts/login-account-store.ts';
import type { AuditLog } from '../audit/record.ts';
import type { Emails } from '../email/outbox/store.ts';
import { createEmailToken } from '../email/tokens/store.ts';
import type { Client } from './client.ts';
import type { RequestDevice } from '../devices/device.ts';
import { recordDevice } from '../devices/device-store.ts';
import { newRefreshToken } from './refresh-token.ts';
import { insertSession, replaceSession, revokeSessions } from './store.ts';

/** Per account: more than a script that logs in anew each time needs, and one statement can revoke them all. */
const SESSIONS_MAX = 5_000;

export interface StartSessionDeps {
  emails: Emails;
  audit: AuditLog;
  accessTokenTtlSeconds: number;
}

export interface NewSession {
  account: LoginAccount;
  client: Client;
  passedSecondFactor: boolean;
  nowMs: number;
}

export interface StartedSession {
  account: LoginAccount;
  device: RequestDevice;
  sessionId: string;
  refreshToken: string;
  nowMs: number;
  /** The session of the request's refresh cookie, or one too many for the account, was revoked. */
  replacedSession: boolean;
}

/**
 * Starts a session; the caller holds the account's lock and has checked every factor. A login from an
 * unknown device writes an event and an email in the same transaction, except the account's first; after 20 in
 * an hour it writes the event alone.
 */
export async function startSession(
  deps: StartSessionDeps,
  tx: Tx,
  session: NewSession,
): Promise<StartedSession> {
  const { account, client, nowMs } = session;
  const { device, origin, replacedToken } = client;
  const { id: accountId } = account;
  const sessionId = newId('ses', nowMs);
  const refreshToken = newRefreshToken();
  const seen = await recordDevice(tx, accountId, device, nowMs);
  const isUnknownDevice = seen === 'unknown' || seen === 'unmailed';
  await insertSession(tx, {
    id: sessionId,
    accountId,
    device,
    ipAddress: origin.ipAddress,
    refreshToken,
    passedSecondFactor: session.passedSecondFactor,
    accessTokenTtlSeconds: deps.accessTokenTtlSeconds,
    nowMs,
  });
  const replaced =
    replacedToken === undefined
      ? []
      : await replaceSession(tx, { refreshToken: replacedToken, accountId, sessionId, nowMs });
  const excess = await revokeSessions(tx, { accountId, beyondNewest: SESSIONS_MAX }, nowMs);
  if (isUnknownDevice) {
    await reportUnknownDevice(deps.emails, tx, { ...session, sessionId }, seen === 'unknown');
  }
  await deps.audit.record(tx, {
    kind: 'login.succeeded',
    accountId,
    sessionId,
    origin,
    data: { newDevice: isUnknownDevice },
  });
  const replacedSession = replaced.length + excess.length > 0;
  return { account, device, sessionId, refreshToken, nowMs, replacedSession };
}

async function reportUnknownDevice(
  emails: Emails,
  tx: Tx,
  { account, client, sessionId, nowMs }: NewSession & { sessionId: string },
  sendsEmail: boolean,
): Promise<void> {
  const { id: accountId, email, language } = account;
  const data: SuspiciousLoginData = {
    userId: accountId,
    sessionId,
    browser: client.device.browser,
    os: client.device.os,
    ipAddress: client.origin.ipAddress,
    loggedInAt: new Date(nowMs).toISOString(),
  };
  await tx.append({ event: 'auth.suspicious_login', accountId, data, nowMs });
  if (!sendsEmail) return;
  // As in `recipientColumns`.
  const name = account.emailVerified ? account.name : '';
  const token = await createEmailToken(tx, { purpose: 'revoke-access', accountId, email, nowMs });
  await emails.enqueue(
    tx,
    'suspicious-login',
    emails.templates.suspiciousLogin({ email, name, language }, data, token),
  );
}
