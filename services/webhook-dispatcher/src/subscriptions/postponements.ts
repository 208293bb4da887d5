import type { Tx } from '../database.ts';

/** Look-up time-outs from before a webhook was paused or disabled do not count once it is used again. */
export async function forgetPostponements(tx: Tx, subscriptionId: string): Promise<void> {
  await tx.prisma.undelivered.updateMany({
    where: { subscriptionId, dueAt: { not: null }, postponedSince: { not: null } },
    data: { postponedSince: null },
  });
}
