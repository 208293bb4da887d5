import type { Database, Queries, Tx } from '../database.ts';
import type { Prisma } from '../generated/client.ts';

/** An arbitrary number, the same in every process. */
const ADVISORY_LOCK = 4_671_802;

export interface KeyRow {
  kid: string;
  publicJwk: unknown;
  /** Encrypted. */
  privateKey: string;
  rsaPublicJwk: unknown;
  /** Encrypted. */
  rsaPrivateKey: string;
  /** Published before, signs from then on. */
  activatesAt: Date;
  /** Withdrawn from then on; null while there is no newer key. */
  retiresAt: Date | null;
}

export type NewKey = Omit<KeyRow, 'publicJwk' | 'rsaPublicJwk' | 'retiresAt'> & {
  publicJwk: Prisma.InputJsonObject;
  rsaPublicJwk: Prisma.InputJsonObject;
};

/** Runs `work` in a transaction while no other process changes the keys. */
export function withKeysLocked<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.transaction({ job: 'rotate-signing-key' }, async (tx) => {
    // Raw: Prisma has no advisory locks.
    await tx.query('SELECT pg_advisory_xact_lock($1)::text', [ADVISORY_LOCK]);
    return work(tx);
  });
}

/** Keys that are not withdrawn, by activation, the newest first. */
export function listKeys(queries: Queries, nowMs: number): Promise<KeyRow[]> {
  return queries.prisma.signingKey.findMany({
    where: { OR: [{ retiresAt: null }, { retiresAt: { gt: new Date(nowMs) } }] },
    orderBy: [{ activatesAt: 'desc' }, { kid: 'asc' }],
    omit: { createdAt: true },
  });
}

export async function insertKey(tx: Tx, key: NewKey): Promise<void> {
  await tx.prisma.signingKey.create({ data: key });
}

/** Withdraws all keys but one, at `retiresAtMs` unless they were to be withdrawn earlier. */
export async function retireOthers(tx: Tx, kid: string, retiresAtMs: number): Promise<void> {
  const retiresAt = new Date(retiresAtMs);
  await tx.prisma.signingKey.updateMany({
    where: { kid: { not: kid }, OR: [{ retiresAt: null }, { retiresAt: { gt: retiresAt } }] },
    data: { retiresAt },
  });
}

/** Deletes withdrawn keys, with their private parts. */
export async function deleteRetiredKeys(database: Database, nowMs: number): Promise<void> {
  await database.prisma.signingKey.deleteMany({ where: { retiresAt: { lte: new Date(nowMs) } } });
}
