import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import type { ChaosSubscription } from './subscription.ts';

const POLL_INTERVAL_MS = 500;
/** Longer than any lease, including that of a click whose process was killed. */
const NO_PROGRESS_TIMEOUT_MS = 120_000;
/** Recovered deliveries get this long before the next recovery. */
const RECOVER_INTERVAL_MS = 5_000;

/**
 * Waits until every accepted event is delivered and no delivery is pending, recovering exhausted ones.
 * Gives up after two minutes without progress.
 * @returns the number of recovered deliveries
 */
export async function untilSettled(options: {
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
    if (Date.now() - progressAtMs > NO_PROGRESS_TIMEOUT_MS) return recovered;
    await sleep(POLL_INTERVAL_MS, undefined, { signal });
  }
}
