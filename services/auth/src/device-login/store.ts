import { DEVICE_LOGIN_TTL_SECONDS, DEVICE_POLL_SECONDS } from '@atrium/contracts/auth/device-login';
import type { DeviceLogin } from '@atrium/contracts/auth/device-login';
import type { Database, Tx } from '../database.ts';
import type { Origin } from '@atrium/service-kit/database';
import { networkOf } from '../sessions/network.ts';
import { formatUserCode, hashDeviceCode, parseUserCode } from './codes.ts';

export interface NewDeviceLogin {
  deviceCode: string;
  userCode: string;
  clientName: string;
  ipAddress: string;
  nowMs: number;
}

export async function insertDeviceLogin(database: Database, login: NewDeviceLogin) {
  const { deviceCode, userCode, clientName, ipAddress, nowMs } = login;
  await database.prisma.deviceLogin.create({
    data: {
      hash: hashDeviceCode(deviceCode),
      userCode,
      clientName,
      ipAddress,
      pollSeconds: DEVICE_POLL_SECONDS,
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + DEVICE_LOGIN_TTL_SECONDS * 1000),
    },
  });
}

/** One that waits to be confirmed or denied. */
function waiting(code: string, nowMs: number) {
  const userCode = parseUserCode(code);
  return { userCode, confirmedBy: null, denied: false, expiresAt: { gt: new Date(nowMs) } };
}

export async function findDeviceLogin(
  database: Database,
  code: string,
  nowMs: number,
): Promise<DeviceLogin | undefined> {
  const row = await database.prisma.deviceLogin.findFirst({ where: waiting(code, nowMs) });
  if (row === null) return undefined;
  return {
    userCode: formatUserCode(row.userCode),
    clientName: row.clientName,
    network: networkOf(row.ipAddress),
    createdAt: row.createdAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  };
}

/** @returns the name of the client, or undefined when no such login waits */
export async function decideDeviceLogin(
  tx: Tx,
  decision: { code: string; confirmedBy: string | null; nowMs: number },
): Promise<string | undefined> {
  const { code, confirmedBy, nowMs } = decision;
  const data = confirmedBy === null ? { denied: true } : { confirmedBy };
  const where = waiting(code, nowMs);
  const [row] = await tx.prisma.deviceLogin.updateManyAndReturn({ where, data });
  return row?.clientName;
}

/** `unknown` has expired, been used, or never existed. */
export type DevicePoll =
  | { kind: 'confirmed'; accountId: string; clientName: string }
  | { kind: 'pending' | 'tooSoon' | 'denied' | 'unknown' };

interface PolledRow {
  clientName: string;
  accountId: string | null;
  isRevoked: boolean;
  denied: boolean;
  isConfirmed: boolean;
  isTooSoon: boolean;
}

// Raw: a row lock, so that of parallel polls one counts.
const LOCK = `
  SELECT d.client_name AS "clientName", d.denied, d.confirmed_by IS NOT NULL AS "isConfirmed",
    s.account_id AS "accountId", s.revoked_at IS NOT NULL OR s.expires_at <= $2 AS "isRevoked",
    coalesce(d.polled_at + d.poll_seconds * interval '1 second' > $2, false) AS "isTooSoon"
  FROM device_logins d LEFT JOIN sessions s ON s.id = d.confirmed_by
  WHERE d.hash = $1 AND d.expires_at > $2 FOR UPDATE OF d`;

/** Counts a poll and returns the state of the login. */
export function pollDeviceLogin(
  database: Database,
  origin: Origin,
  { deviceCode, nowMs }: { deviceCode: string; nowMs: number },
): Promise<DevicePoll> {
  return database.transaction(origin, async (tx): Promise<DevicePoll> => {
    const hash = hashDeviceCode(deviceCode);
    const now = new Date(nowMs);
    const [row] = await tx.query<PolledRow>(LOCK, [hash, now]);
    if (row === undefined) return { kind: 'unknown' };
    const { accountId, clientName, isTooSoon } = row;
    if (row.denied || (row.isConfirmed && row.isRevoked)) return { kind: 'denied' };
    if (accountId !== null) return { kind: 'confirmed', accountId, clientName };
    await tx.prisma.deviceLogin.update({
      where: { hash },
      data: {
        polledAt: now,
        ...(isTooSoon ? { pollSeconds: { increment: DEVICE_POLL_SECONDS } } : {}),
      },
    });
    return { kind: isTooSoon ? 'tooSoon' : 'pending' };
  });
}

/**
 * Consumes a confirmed login; false when it was used or denied meanwhile, or when the session that
 * confirmed it was revoked. The caller holds the account's lock.
 */
export async function consumeDeviceLogin(tx: Tx, deviceCode: string): Promise<boolean> {
  const { count } = await tx.prisma.deviceLogin.deleteMany({
    where: { hash: hashDeviceCode(deviceCode), denied: false, session: { revokedAt: null } },
  });
  return count === 1;
}

export async function purgeDeviceLogins(
  database: Database,
  before: Date,
  limit: number,
): Promise<number> {
  const where = { expiresAt: { lt: before } };
  return (await database.prisma.deviceLogin.deleteMany({ where, limit })).count;
}
