import type { Sql } from '@atrium/service-kit/database';
import type { Tx } from '../database.ts';
import type { Device } from './device.ts';

const DEVICE_LIFETIME_MS = 400 * 86_400_000;
/** Per account: a client without cookies is an unknown device at each login. */
const DEVICES_MAX = 100;
/** Per account: whoever has its password must not flood its owner with emails. */
const EMAILS_PER_HOUR = 20;
const HOUR_MS = 3_600_000;

/**
 * Remembers the device of a login. The caller holds the account's lock, so logins do not interleave.
 *
 * @returns `unmailed` for an unknown device when there were enough emails about others in the last hour
 */
export async function recordDevice(
  tx: Tx,
  accountId: string,
  { fingerprint, browser, os }: Device,
  nowMs: number,
): Promise<'first' | 'known' | 'unknown' | 'unmailed'> {
  const lastSeenAt = new Date(nowMs);
  const key = { accountId, fingerprint };
  // Raw: part of the measured login.
  const known = await tx.query(
    `UPDATE account_devices SET last_seen_at = $3 WHERE account_id = $1 AND fingerprint = $2
     RETURNING 1`,
    [accountId, fingerprint, lastSeenAt],
  );
  if (known.length === 1) return 'known';
  await tx.prisma.accountDevice.create({
    data: { ...key, browser, os, firstSeenAt: lastSeenAt, lastSeenAt },
  });
  const devices = await tx.prisma.accountDevice.findMany({
    where: { accountId },
    orderBy: [{ lastSeenAt: 'desc' }, { fingerprint: 'asc' }],
    select: { fingerprint: true, firstSeenAt: true },
  });
  if (devices.length > DEVICES_MAX) {
    const oldest = devices.slice(DEVICES_MAX).map((device) => device.fingerprint);
    await tx.prisma.accountDevice.deleteMany({ where: { accountId, fingerprint: { in: oldest } } });
  }
  if (devices.length === 1) return 'first';
  const isRecent = ({ firstSeenAt }: { firstSeenAt: Date }) =>
    firstSeenAt.getTime() > nowMs - HOUR_MS;
  // With this one, and perhaps with the account's first, about which there was none.
  return devices.filter(isRecent).length > EMAILS_PER_HOUR ? 'unmailed' : 'unknown';
}

/** Forgets the devices that the account has used only since `since`. */
export async function deleteDevicesSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<void> {
  await tx.prisma.accountDevice.deleteMany({ where: { accountId, firstSeenAt: { gte: since } } });
}

/**
 * Deletes devices unused for 400 days, the longest that a browser keeps a cookie. The device that an
 * account used last stays: without any, the next login from anywhere would count as the first. Raw
 * SQL for SKIP LOCKED.
 *
 * @returns the number of deleted rows; equal to `limit` when there may be more
 */
export async function purgeDevices(sql: Sql, nowMs: number, limit: number): Promise<number> {
  const rows = await sql.query(
    `DELETE FROM account_devices WHERE (account_id, fingerprint) IN (
       SELECT account_id, fingerprint FROM account_devices old
       WHERE last_seen_at < $1 AND EXISTS (
         SELECT 1 FROM account_devices newer
         WHERE newer.account_id = old.account_id
           AND (newer.last_seen_at, newer.fingerprint) > (old.last_seen_at, old.fingerprint)
       )
       LIMIT $2 FOR UPDATE SKIP LOCKED
     ) RETURNING 1`,
    [new Date(nowMs - DEVICE_LIFETIME_MS), limit],
  );
  return rows.length;
}
