import type { Database, Queries, Tx } from '../../database.ts';

/** A registered credential and its last known counter. */
export interface StoredCredential {
  passkeyId: string;
  accountId: string;
  credentialId: string;
  publicKey: Uint8Array<ArrayBuffer>;
  counter: number;
}

export interface PasskeyRow {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface CredentialDescriptor {
  id: string;
  transports: string[];
}

const COLUMNS = { id: true, name: true, createdAt: true, lastUsedAt: true } as const;

/** Adds a passkey; undefined when its credential is registered already, by any account. */
export async function insertPasskey(
  tx: Tx,
  {
    nowMs,
    ...passkey
  }: Omit<StoredCredential, 'passkeyId'> & {
    id: string;
    transports: string[];
    name: string;
    nowMs: number;
  },
): Promise<PasskeyRow | undefined> {
  const [row] = await tx.prisma.passkey.createManyAndReturn({
    data: { ...passkey, createdAt: new Date(nowMs) },
    skipDuplicates: true,
    select: COLUMNS,
  });
  return row;
}

/** The credentials of an account, for the browser to offer or to exclude. */
export async function listCredentials(
  queries: Queries,
  accountId: string,
): Promise<CredentialDescriptor[]> {
  const passkeys = await queries.prisma.passkey.findMany({
    where: { accountId },
    orderBy: { id: 'asc' },
    select: { credentialId: true, transports: true },
  });
  return passkeys.map(({ credentialId: id, transports }) => ({ id, transports }));
}

/** An account's passkeys, oldest first, starting after the passkey `afterId`. */
export function listPasskeys(
  database: Database,
  { accountId, afterId, limit }: { accountId: string; afterId: string | null; limit: number },
): Promise<PasskeyRow[]> {
  return database.prisma.passkey.findMany({
    where: { accountId, ...(afterId === null ? {} : { id: { gt: afterId } }) },
    orderBy: { id: 'asc' },
    take: limit,
    select: COLUMNS,
  });
}

export async function renamePasskey(
  database: Database,
  { id, accountId, name }: { id: string; accountId: string; name: string },
): Promise<PasskeyRow | undefined> {
  const [row] = await database.prisma.passkey.updateManyAndReturn({
    where: { id, accountId },
    data: { name },
    select: COLUMNS,
  });
  return row;
}

export async function deletePasskey(
  tx: Tx,
  passkey: { id: string; accountId: string },
): Promise<boolean> {
  const { count } = await tx.prisma.passkey.deleteMany({ where: passkey });
  return count === 1;
}

export async function findCredential(
  database: Database,
  credentialId: string,
): Promise<StoredCredential | undefined> {
  const passkey = await database.prisma.passkey.findUnique({ where: { credentialId } });
  if (passkey === null) {
    return undefined;
  }
  const { id: passkeyId, accountId, publicKey, counter } = passkey;
  return { passkeyId, accountId, credentialId, publicKey, counter: Number(counter) };
}

/**
 * Records the use of a passkey; false when it was deleted, or a parallel use has counted as far. An
 * authenticator without a counter always sends 0 (WebAuthn Level 3 section 6.1.1).
 */
export async function advanceCounter(
  tx: Tx,
  { passkeyId: id, counter, nowMs }: { passkeyId: string; counter: number; nowMs: number },
): Promise<boolean> {
  const { count } = await tx.prisma.passkey.updateMany({
    where: { id, counter: counter === 0 ? 0 : { lt: counter } },
    data: { counter, lastUsedAt: new Date(nowMs) },
  });
  return count === 1;
}
