import type { Tx } from '../database.ts';

/** A webhook that is used again starts anew: its name may have been looked up in time while it was not. */
export async function forgetPostponements(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.prisma.undelivered.updateMany({
    where: { subscriptionId, dueAt: { not: null }, postponedSince: { not: null } },
    data: { postponedSince: null },
  });
}
