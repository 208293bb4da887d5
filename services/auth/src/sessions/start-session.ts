import type { SuspiciousLoginData } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import { appendEvent } from '@atrium/events/outbox';
import { type Sql, sqlOf } from '@atrium/service-kit/database';
import type { LoginAccount } from '../accounts/login-account-store.ts';
import type { AuditEntry } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import { createEmailToken } from '../email/tokens/store.ts';
import type { Tx } from '../transaction-store.ts';
import type { Client } from './client.ts';
import type { RequestDevice } from '../devices/device.ts';
import { recordDevice } from '../devices/device-store.ts';
import { newRefreshToken } from './refresh-token.ts';
import { insertSession, revokeSessions } from './store.ts';

export interface StartSessionDeps {
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
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
  /** An event and an email were written. */
  isUnknownDevice: boolean;
  /** The session of the request's refresh cookie was revoked. */
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
  const sql = sqlOf(tx);
  const sessionId = newId('ses', nowMs);
  const refreshToken = newRefreshToken();
  const replaced =
    replacedToken === undefined
      ? []
      : await revokeSessions(sql, { refreshToken: replacedToken }, nowMs);
  const seen = await recordDevice(tx, account.id, device, nowMs);
  const isUnknownDevice = seen === 'unknown' || seen === 'unmailed';
  await insertSession(tx, {
    id: sessionId,
    accountId: account.id,
    device,
    ipAddress: origin.ipAddress,
    refreshToken,
    passedSecondFactor: session.passedSecondFactor,
    accessTokenTtlSeconds: deps.accessTokenTtlSeconds,
    nowMs,
  });
  if (isUnknownDevice) {
    await reportUnknownDevice(deps, sql, { ...session, sessionId }, seen === 'unknown');
  }
  await deps.recordAudit(sql, loginEntry(session, sessionId, isUnknownDevice));
  const replacedSession = replaced.length > 0;
  return { account, device, sessionId, refreshToken, nowMs, isUnknownDevice, replacedSession };
}

/** The audit entry of a started session. */
export function loginEntry(
  { account, client, nowMs }: NewSession,
  sessionId: string,
  newDevice: boolean,
): AuditEntry {
  const { origin } = client;
  const kind = 'login.succeeded';
  return { kind, accountId: account.id, sessionId, origin, data: { newDevice }, nowMs };
}

async function reportUnknownDevice(
  { templates, enqueueEmail }: StartSessionDeps,
  tx: Sql,
  { account, client, sessionId, nowMs }: NewSession & { sessionId: string },
  sendsEmail: boolean,
): Promise<void> {
  const { id: accountId, email, language } = account;
  const { ipAddress, requestId } = client.origin;
  const data: SuspiciousLoginData = {
    userId: accountId,
    sessionId,
    browser: client.device.browser,
    os: client.device.os,
    ipAddress,
    loggedInAt: new Date(nowMs).toISOString(),
  };
  await appendEvent(tx, { event: 'auth.suspicious_login', accountId, data, requestId, nowMs });
  if (!sendsEmail) return;
  // As in `recipientColumns`.
  const name = account.emailVerified ? account.name : '';
  const token = await createEmailToken(tx, { purpose: 'revoke-access', accountId, email, nowMs });
  await enqueueEmail(
    tx,
    'suspicious-login',
    templates.suspiciousLogin({ email, name, language }, data, token),
  );
}
