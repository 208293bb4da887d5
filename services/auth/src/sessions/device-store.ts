import type { Sql } from '@atrium/service-kit/database';
import type { Device } from './device.ts';

const DEVICE_LIFETIME_MS = 400 * 86_400_000;
/** Of one account: a client without cookies is a new device at each login. */
const DEVICES_MAX = 100;

export type DeviceSighting = 'first-ever' | 'known' | 'new';

/** Remembers the device. The caller holds the account's lock, so no other login comes between. */
export async function recordDevice(
  tx: Sql,
  accountId: string,
  device: Device,
  nowMs: number,
): Promise<DeviceSighting> {
  const [seen] = await tx.query<{ isKnown: boolean; isFirst: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM account_devices WHERE account_id = $1 AND fingerprint = $2)
              AS "isKnown",
            NOT EXISTS (SELECT 1 FROM account_devices WHERE account_id = $1) AS "isFirst"`,
    [accountId, device.fingerprint],
  );
  await tx.query(
    `INSERT INTO account_devices (account_id, fingerprint, browser, os, first_seen_at, last_seen_at)
     VALUES ($1, $2, $3, $4, $5, $5)
     ON CONFLICT (account_id, fingerprint) DO UPDATE SET last_seen_at = excluded.last_seen_at`,
    [accountId, device.fingerprint, device.browser, device.os, new Date(nowMs)],
  );
  if (seen?.isFirst === true) {
    return 'first-ever';
  }
  if (seen?.isKnown === true) {
    return 'known';
  }
  await tx.query(
    `DELETE FROM account_devices WHERE account_id = $1 AND fingerprint IN (
       SELECT fingerprint FROM account_devices WHERE account_id = $1
       ORDER BY last_seen_at DESC, fingerprint OFFSET $2
     )`,
    [accountId, DEVICES_MAX],
  );
  return 'new';
}

/**
 * Deletes devices that were not used for 400 days, the longest that a browser keeps a cookie. The one
 * that an account used last stays: without it, whoever comes next would be taken for its owner.
 *
 * @returns how many went; as many as `limit` when there may be more
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
