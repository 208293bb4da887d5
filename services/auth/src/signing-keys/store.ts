import { PublicJwk, RsaPublicJwk } from '@atrium/contracts/auth/tokens';
import Value from 'typebox/value';
import type { Database, Queries, Tx } from '../database.ts';
import type { Prisma } from '../generated/client.ts';

/** An arbitrary number, the same in every process. */
const ADVISORY_LOCK = 4_671_802;
/** A year, as long as a login to an application lasts, which its ID token later says that it ends. */
const PUBLIC_KEPT_MS = 365 * 86_400_000;

export interface KeyRow {
  kid: string;
  publicJwk: unknown;
  /** Encrypted; empty once it is withdrawn. */
  privateKey: string;
  rsaPublicJwk: unknown;
  /** Encrypted; empty once it is withdrawn. */
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

/** Deletes all keys that are not withdrawn but one, as if they had never signed. */
export async function deleteOthers(tx: Tx, kid: string, nowMs: number): Promise<void> {
  const isCurrent = { OR: [{ retiresAt: null }, { retiresAt: { gt: new Date(nowMs) } }] };
  await tx.prisma.signingKey.deleteMany({ where: { kid: { not: kid }, ...isCurrent } });
}

/** Deletes the private parts of withdrawn keys, and the public ones after `PUBLIC_KEPT_MS`. */
export async function deleteRetiredKeys(database: Database, nowMs: number): Promise<void> {
  const { signingKey } = database.prisma;
  await signingKey.updateMany({
    where: { retiresAt: { lte: new Date(nowMs) }, privateKey: { not: '' } },
    data: { privateKey: '', rsaPrivateKey: '' },
  });
  const before = new Date(nowMs - PUBLIC_KEPT_MS);
  await signingKey.deleteMany({ where: { retiresAt: { lte: before } } });
}

/** The public half of a key, also of a withdrawn one, by which no access token may be accepted. */
export async function findPublicJwk(
  queries: Queries,
  kid: string,
): Promise<PublicJwk | RsaPublicJwk | undefined> {
  const key = await queries.prisma.signingKey.findFirst({
    where: { OR: [{ kid }, { rsaPublicJwk: { path: ['kid'], equals: kid } }] },
    select: { kid: true, publicJwk: true, rsaPublicJwk: true },
  });
  if (key === null) return undefined;
  return key.kid === kid
    ? Value.Parse(PublicJwk, key.publicJwk)
    : Value.Parse(RsaPublicJwk, key.rsaPublicJwk);
}
