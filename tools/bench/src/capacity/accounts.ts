import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { createRandom } from '../search/random.ts';
import { STORE_BATCH } from './plan.ts';

export const ACCOUNTS = 100_000;
/** Clicks a second of an account that are recorded at most. */
export const ACCOUNT_LIMIT = PLAN_LIMITS.pro.clicksPerMinute / 60;

/**
 * Clicks a second that are recorded of accounts of which the n-th has an n-th of what the first has (Zipf), each in a
 * shard at random.
 *
 * @param limit of each account, a second
 */
export function spread(clicksPerSecond: number, shards: number, limit: number, seed: number) {
  const random = createRandom(seed);
  const weights = Array.from({ length: ACCOUNTS }, (_, n) => 1 / (n + 1));
  const all = sum(weights);
  const rates = weights.map((weight) => Math.min((clicksPerSecond * weight) / all, limit));
  const byShard = Array.from({ length: shards }, (): number[] => []);
  for (const rate of rates) byShard[Math.floor(random() * shards)]?.push(rate);

  const [largest = []] = byShard.toSorted((a, b) => sum(b) - sum(a));
  const largestShard = sum(largest);
  const sharesNone = largest
    .map((rate) => 1 - (1 - rate / largestShard) ** STORE_BATCH)
    .reduce((chance, isInBatch) => chance * (1 - isInBatch ** 2), 1);
  return {
    recorded: sum(rates),
    largestAccount: rates[0] ?? 0,
    averageShard: sum(rates) / shards,
    largestShard,
    /** Chance that two transactions of clicks there have an owner in common. */
    sharesOwner: 1 - sharesNone,
  };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
