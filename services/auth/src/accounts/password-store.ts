import type { Database, Tx } from '../database.ts';

export async function setPasswordHash(
  tx: Tx,
  change: { accountId: string; passwordHash: string; nowMs: number },
): Promise<void> {
  await tx.prisma.account.updateMany({
    where: { id: change.accountId },
    data: { passwordHash: change.passwordHash, updatedAt: new Date(change.nowMs) },
  });
}

/** Replaces a hash unless a parallel request did so first. @returns the hash that is stored now */
export async function exchangePasswordHash(
  database: Database,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<string | undefined> {
  const { count } = await database.prisma.account.updateMany({
    where: { id: accountId, passwordHash: from },
    data: { passwordHash: to },
  });
  if (count === 1) {
    return to;
  }
  const account = await database.prisma.account.findUnique({
    where: { id: accountId },
    select: { passwordHash: true },
  });
  return account?.passwordHash;
}
