import type { Database, Sql } from '@atrium/service-kit/database';

/** An arbitrary number, the same in every replica. */
const ADVISORY_LOCK = 4_671_802;

export interface KeyRow {
  kid: string;
  publicJwk: unknown;
  /** Encrypted. */
  privateKey: string;
  /** Published before, signs from then on. */
  activatesAt: Date;
  /** Withdrawn from then on; null while no newer key exists. */
  retiresAt: Date | null;
}

/** Runs `work` in a transaction while no other process changes the keys. */
export function withKeysLocked<T>(database: Database, work: (tx: Sql) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    return work(tx);
  });
}

/** Keys that are not withdrawn, the one that signs last first. */
export function listKeys(sql: Sql, nowMs: number): Promise<KeyRow[]> {
  return sql.query<KeyRow>(
    `SELECT kid, public_jwk AS "publicJwk", private_key AS "privateKey",
            activates_at AS "activatesAt", retires_at AS "retiresAt"
     FROM signing_keys WHERE retires_at IS NULL OR retires_at > $1
     ORDER BY activates_at DESC, kid`,
    [new Date(nowMs)],
  );
}

export async function insertKey(tx: Sql, key: Omit<KeyRow, 'retiresAt'>): Promise<void> {
  await tx.query(
    `INSERT INTO signing_keys (kid, public_jwk, private_key, activates_at)
     VALUES ($1, $2::jsonb, $3, $4)`,
    [key.kid, JSON.stringify(key.publicJwk), key.privateKey, key.activatesAt],
  );
}

/** Withdraws all keys but one, at `retiresAtMs` or when they were going to be before. */
export async function retireOthers(tx: Sql, kid: string, retiresAtMs: number): Promise<void> {
  await tx.query(`UPDATE signing_keys SET retires_at = least(retires_at, $2) WHERE kid <> $1`, [
    kid,
    new Date(retiresAtMs),
  ]);
}

/** Deletes the keys that are withdrawn, private part and all. @returns how many went */
export async function deleteRetired(sql: Sql, nowMs: number): Promise<number> {
  const rows = await sql.query('DELETE FROM signing_keys WHERE retires_at <= $1 RETURNING 1', [
    new Date(nowMs),
  ]);
  return rows.length;
}
