import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { ChaosSubscription } from './subscription.ts';

const LOOK_INTERVAL_MS = 500;
/** Longer than anything takes that is on its way: leases, claims, a click that lost its process. */
const STILLNESS_MS = 120_000;
/** What is sent again gets this long before the next of it is looked for. */
const RECOVER_INTERVAL_MS = 5_000;

/**
 * Waits until everything accepted has been delivered and nothing more is to come, recovering what
 * has used up its attempts. Gives up when nothing that was missing has arrived for two minutes.
 * @returns how many deliveries had to be recovered.
 */
export async function untilQuiet(options: {
  ledger: Ledger;
  subscription: ChaosSubscription;
  since: Date;
  signal: AbortSignal;
}): Promise<number> {
  const { ledger, subscription, since, signal } = options;
  let recovered = 0;
  let recoverAtMs = 0;
  let missing = ledger.missing.size;
  let progressAtMs = Date.now();
  for (;;) {
    if (Date.now() >= recoverAtMs) {
      if (await subscription.hasAny('exhausted')) recovered += await subscription.recover(since);
      recoverAtMs = Date.now() + RECOVER_INTERVAL_MS;
    }
    const { size } = ledger.missing;
    if (size === 0 && !(await subscription.hasAny('undelivered'))) return recovered;
    if (size < missing) progressAtMs = Date.now();
    missing = size;
    if (Date.now() - progressAtMs > STILLNESS_MS) return recovered;
    await sleep(LOOK_INTERVAL_MS, undefined, { signal });
  }
}
