import type { Tx } from '../transaction-store.ts';

/** Whom to send an email about an account. */
export function findOwner(
  tx: Tx,
  accountId: string,
): Promise<{ email: string; name: string } | null> {
  return tx.account.findUnique({
    where: { id: accountId },
    select: { email: true, name: true },
  });
}
