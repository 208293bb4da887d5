import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import type { LogAudit } from '../audit/record.ts';
import { insertLoginAtKnownDevice } from './known-device-store.ts';
import { newRefreshToken } from '../sessions/refresh-token.ts';
import { loginEntry, type SessionWish, type StartedSession } from '../sessions/start-session.ts';

export interface KnownDeviceDeps {
  database: Sql;
  logAudit: LogAudit;
  accessTokenTtlSeconds: number;
}

/**
 * The commonest login, with a device that the account knows and nothing to take the place of, in one
 * statement: the transaction that serves them all makes seven, and beside a hash there is not much
 * time for them.
 *
 * @returns undefined, with nothing changed, when it takes that transaction after all
 */
export async function startAtKnownDevice(
  { database, logAudit, accessTokenTtlSeconds }: KnownDeviceDeps,
  wish: SessionWish,
): Promise<StartedSession | undefined> {
  if (wish.replacedToken !== undefined) {
    return undefined;
  }
  const { account, device, nowMs } = wish;
  const sessionId = newId('ses', nowMs);
  const refreshToken = newRefreshToken();
  const auditId = newId('aud', nowMs);
  const ids = { sessionId, refreshToken, auditId };
  if (!(await insertLoginAtKnownDevice(database, { ...wish, ...ids, accessTokenTtlSeconds }))) {
    return undefined;
  }
  logAudit(auditId, loginEntry(wish, sessionId, { newDevice: false }));
  return {
    account,
    sessionId,
    refreshToken,
    deviceCookie: device.cookie,
    nowMs,
    isSuspicious: false,
    isReplacement: false,
  };
}
