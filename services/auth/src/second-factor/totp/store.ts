import type { Database, Tx } from '../../database.ts';

/**
 * Stores a secret until a code confirms it; false when the account has a confirmed one. The caller
 * holds the account's lock.
 */
export async function startTotp(
  tx: Tx,
  factor: { accountId: string; sealedSecret: string; nowMs: number },
): Promise<boolean> {
  const { accountId, sealedSecret: secret, nowMs } = factor;
  await tx.prisma.totpFactor.deleteMany({ where: { accountId, confirmedAt: null } });
  const { count } = await tx.prisma.totpFactor.createMany({
    data: { accountId, secret, createdAt: new Date(nowMs) },
    skipDuplicates: true,
  });
  return count === 1;
}

/**
 * Consumes an attempt at the first code, before it is compared.
 *
 * @returns the sealed secret, or undefined when none created after `since` has attempts left
 */
export async function consumeConfirmAttempt(
  database: Database,
  { accountId, since, attemptsMax }: { accountId: string; since: Date; attemptsMax: number },
): Promise<string | undefined> {
  const [factor] = await database.prisma.totpFactor.updateManyAndReturn({
    where: {
      accountId,
      confirmedAt: null,
      createdAt: { gt: since },
      confirmAttempts: { lt: attemptsMax },
    },
    data: { confirmAttempts: { increment: 1 } },
    select: { secret: true },
  });
  return factor?.secret;
}

/** Turns the factor on and consumes the step; false when this secret no longer waits for a code. */
export async function confirmTotp(
  tx: Tx,
  factor: { accountId: string; sealedSecret: string; step: number; nowMs: number },
): Promise<boolean> {
  const { accountId, sealedSecret: secret, step, nowMs } = factor;
  const { count } = await tx.prisma.totpFactor.updateMany({
    where: { accountId, secret, confirmedAt: null },
    data: { confirmedAt: new Date(nowMs), lastUsedStep: step },
  });
  return count === 1;
}

/** The sealed secret of a confirmed factor. */
export async function findTotp(database: Database, accountId: string): Promise<string | undefined> {
  const factor = await database.prisma.totpFactor.findFirst({
    where: { accountId, confirmedAt: { not: null } },
    select: { secret: true },
  });
  return factor?.secret;
}

/** Consumes a step and all earlier ones; false when it was used (RFC 6238 section 5.2). */
export async function consumeStep(tx: Tx, accountId: string, step: number): Promise<boolean> {
  const { count } = await tx.prisma.totpFactor.updateMany({
    where: { accountId, confirmedAt: { not: null }, lastUsedStep: { lt: step } },
    data: { lastUsedStep: step },
  });
  return count === 1;
}

/** @returns false when there was no confirmed factor */
export async function deleteTotp(tx: Tx, accountId: string): Promise<boolean> {
  const { count } = await tx.prisma.totpFactor.deleteMany({
    where: { accountId, confirmedAt: { not: null } },
  });
  return count === 1;
}

export interface SealedTotp {
  accountId: string;
  secret: string;
}

/** Sealed secrets in the order of their accounts, starting after the account `afterId`. */
export function listSealedTotp(
  database: Database,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<SealedTotp[]> {
  return database.prisma.totpFactor.findMany({
    where: { accountId: { gt: afterId } },
    orderBy: { accountId: 'asc' },
    take: limit,
    select: { accountId: true, secret: true },
  });
}

/** Replaces a sealed secret unless it has changed. */
export async function replaceSealedTotp(
  database: Database,
  { accountId, from, to }: { accountId: string; from: string; to: string },
): Promise<void> {
  await database.prisma.totpFactor.updateMany({
    where: { accountId, secret: from },
    data: { secret: to },
  });
}
