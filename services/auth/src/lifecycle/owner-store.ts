import type { Tx } from '../transaction-store.ts';

/** The recipient of emails about an account. */
export function findOwner(
  tx: Tx,
  accountId: string,
): Promise<{ email: string; name: string } | null> {
  return tx.account.findUnique({
    where: { id: accountId },
    select: { email: true, name: true },
  });
}
