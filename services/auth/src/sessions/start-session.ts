import type { SuspiciousLoginData } from '@atrium/contracts/events';
import { newId } from '@atrium/contracts/ids';
import { appendEvent } from '@atrium/events/outbox';
import type { Sql } from '@atrium/service-kit/database';
import type { AuditEntry } from '../audit/entry.ts';
import type { RecordAudit } from '../audit/record.ts';
import { createEmailToken } from '../email/tokens/store.ts';
import type { EnqueueEmail } from '../email/outbox/store.ts';
import type { EmailTemplates } from '../email/templates/templates.ts';
import type { Device } from './device.ts';
import { recordDevice } from './device-store.ts';
import { newRefreshToken } from './refresh-token.ts';
import { insertSession, type LoginAccount, revokeSessions } from './store.ts';

export interface StartSessionDeps {
  templates: EmailTemplates;
  enqueueEmail: EnqueueEmail;
  recordAudit: RecordAudit;
  accessTokenTtlSeconds: number;
}

/** Who has proved to be whom, and from where. */
export interface SessionWish {
  account: LoginAccount;
  device: Device;
  ipAddress: string;
  requestId: string;
  /** The refresh cookie that the request came with: its session ends. */
  replacedToken: string | undefined;
  nowMs: number;
}

export interface StartedSession {
  account: LoginAccount;
  sessionId: string;
  refreshToken: string;
  /** Value of the device cookie. */
  deviceCookie: string;
  nowMs: number;
  /** An event and a mail were written: their senders want to be woken. */
  isSuspicious: boolean;
  /** It took the place of a session that has ended. */
  isReplacement: boolean;
}

/**
 * Starts a session of an account that has proved everything it must; the caller holds the account's
 * lock (`lockForLogin`). A device that the account has not used before makes an event and a mail,
 * in the same transaction; the first login ever does not.
 */
export async function startSession(
  deps: StartSessionDeps,
  tx: Sql,
  wish: SessionWish,
): Promise<StartedSession> {
  const { account, device, ipAddress, nowMs } = wish;
  const accountId = account.id;
  const sessionId = newId('ses', nowMs);
  const refreshToken = newRefreshToken();
  const replaced =
    wish.replacedToken === undefined
      ? []
      : await revokeSessions(tx, { refreshToken: wish.replacedToken }, nowMs);
  const sighting = await recordDevice(tx, accountId, device, nowMs);
  await insertSession(tx, {
    id: sessionId,
    accountId,
    device,
    ipAddress,
    refreshToken,
    accessTokenTtlSeconds: deps.accessTokenTtlSeconds,
    nowMs,
  });
  const isSuspicious = sighting === 'new';
  if (isSuspicious) {
    await report(deps, tx, { ...wish, sessionId });
  }
  await deps.recordAudit(tx, loginEntry(wish, sessionId, { newDevice: isSuspicious }));
  return {
    account,
    sessionId,
    refreshToken,
    deviceCookie: device.cookie,
    nowMs,
    isSuspicious,
    isReplacement: replaced.length > 0,
  };
}

/** The audit trail's entry about a session that was started. */
export function loginEntry(
  { account, device, ipAddress, requestId, nowMs }: SessionWish,
  sessionId: string,
  data: { newDevice: boolean },
): AuditEntry {
  const origin = { ipAddress, requestId, device: `${device.browser} on ${device.os}` };
  return { kind: 'login.succeeded', accountId: account.id, sessionId, origin, data, nowMs };
}

async function report(
  { templates, enqueueEmail }: StartSessionDeps,
  tx: Sql,
  login: SessionWish & { sessionId: string },
): Promise<void> {
  const { account, sessionId, device, ipAddress, requestId, nowMs } = login;
  const data: SuspiciousLoginData = {
    userId: account.id,
    sessionId,
    browser: device.browser,
    os: device.os,
    ipAddress,
    loggedInAt: new Date(nowMs).toISOString(),
  };
  const event = 'auth.suspicious_login';
  await appendEvent(tx, { event, accountId: account.id, data, requestId, nowMs });
  const { id: accountId, email } = account;
  // As in `greetedName`.
  const name = account.emailVerified ? account.name : '';
  const revokeAccessToken = await createEmailToken(tx, {
    purpose: 'revoke-access',
    accountId,
    email,
    nowMs,
  });
  const notice = templates.suspiciousLogin(email, name, data, revokeAccessToken);
  await enqueueEmail(tx, 'suspicious-login', notice);
}
