import { setImmediate } from 'node:timers/promises';
import { atMost } from '@atrium/service-kit/at-most';
import { tooManyRequests } from '@atrium/service-kit/http-error';
import { LRUCache } from 'lru-cache';

/** After so much work, of all requests together, others have their turn. */
const TURN_MS = 10;
/** The part of a process's time that such work of one account may take. */
const ACCOUNT_SHARE = 0.2;
/** An account may use up the share of so long at once. */
const WINDOW_MS = 10_000;
const ACCOUNTS_MAX = 10_000;
const TOO_LONG = 'Checking the events of this account takes too long, please try again later';

let spentMs = 0;
let nextTurn: Promise<void> | undefined;

/** Runs work that may take a while in the turn of its account. */
export type InTurn = <T>(accountId: string, work: () => T) => Promise<T>;

/**
 * Makes what does such work. It waits for the event loop once 10 ms of such work have been done, by whichever
 * requests: nobody waits behind all the requests that have arrived together.
 *
 * @param options.limitsAccounts when false, an account may take any time
 * @returns a function that throws HttpError 429 when the account has had its share of the time
 */
export function createTurns({ limitsAccounts }: { limitsAccounts: boolean }): InTurn {
  /** For each account, when its share of the time will have made up for its work. */
  const paidAtMs = new LRUCache<string, number>(atMost(ACCOUNTS_MAX));
  return async (accountId, work) => {
    while (spentMs > TURN_MS) {
      nextTurn ??= setImmediate().then(() => {
        spentMs = 0;
        nextTurn = undefined;
      });
      await nextTurn;
    }
    const startMs = performance.now();
    const paidMs = Math.max(startMs, paidAtMs.get(accountId) ?? 0);
    const waitMs = paidMs - startMs - WINDOW_MS;
    if (limitsAccounts && waitMs > 0) throw tooManyRequests(TOO_LONG, waitMs / 1_000);
    try {
      return work();
    } finally {
      const tookMs = performance.now() - startMs;
      spentMs += tookMs;
      paidAtMs.set(accountId, paidMs + tookMs / ACCOUNT_SHARE);
    }
  };
}
