import type { Tx } from '../../database.ts';
import { isSecondFactorOn } from '../factor.ts';
import { findFactors } from '../store.ts';
import { hashRecoveryCode, newRecoveryCodes } from './codes.ts';

/** Ten new recovery codes in place of the old ones. The caller holds the account's lock. */
export async function renewRecoveryCodes(
  tx: Tx,
  accountId: string,
  nowMs: number,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  const createdAt = new Date(nowMs);
  await tx.prisma.recoveryCode.deleteMany({ where: { accountId } });
  await tx.prisma.recoveryCode.createMany({
    data: codes.map((code) => ({ accountId, hash: hashRecoveryCode(code), createdAt })),
  });
  return codes;
}

/** Recovery codes for the account's first factor; null when it still has some. */
export async function firstRecoveryCodes(
  tx: Tx,
  accountId: string,
  nowMs: number,
): Promise<string[] | null> {
  const { recoveryCodes } = await findFactors(tx, accountId);
  return recoveryCodes > 0 ? null : renewRecoveryCodes(tx, accountId, nowMs);
}

/** Deletes the recovery codes of an account without a factor: they replace a lost one, nothing else. */
export async function deleteUnneededRecoveryCodes(tx: Tx, accountId: string): Promise<void> {
  if (!isSecondFactorOn(await findFactors(tx, accountId))) {
    await tx.prisma.recoveryCode.deleteMany({ where: { accountId } });
  }
}

/** @returns false when the account has no such code */
export async function consumeRecoveryCode(
  tx: Tx,
  accountId: string,
  code: string,
): Promise<boolean> {
  const { count } = await tx.prisma.recoveryCode.deleteMany({
    where: { accountId, hash: hashRecoveryCode(code) },
  });
  return count === 1;
}
