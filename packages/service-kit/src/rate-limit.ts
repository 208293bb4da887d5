import type { Redis } from 'ioredis';
import { tooManyRequests } from './http-error.ts';
import { isRedisUnavailable } from './outage.ts';

export interface RateLimitRule {
  /** Names the rule in Redis keys and in the `ratelimit-policy` header. */
  name: string;
  /** Requests allowed at once, and in each window afterwards. */
  limit: number;
  windowSeconds: number;
}

export interface RateLimitState {
  isAllowed: boolean;
  remaining: number;
  /** Until a refused request would be allowed; 0 when it was allowed. */
  retryAfterSeconds: number;
  /** Until the whole limit is there again. */
  resetSeconds: number;
}

export interface RateLimiter {
  /**
   * Counts one request of `key` (an account, an address) under a rule.
   * @throws HttpError 429 with `Retry-After`
   */
  consume(rule: RateLimitRule, key: string): Promise<RateLimitState>;
}

/**
 * GCRA, the generic cell rate algorithm (ITU-T I.371): one number per key, the theoretical arrival
 * time of the next request, says all. Allows a burst of `limit`, then one each `window / limit`.
 * KEYS[1] key; ARGV: now, emission interval, tolerance (all ms). Answers allowed, new arrival time.
 */
const CONSUME_LUA = `
local now, interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local arrival = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
local next = arrival + interval
if next - now > tolerance then
  return {0, string.format('%.3f', arrival)}
end
redis.call('SET', KEYS[1], string.format('%.3f', next), 'PX', math.ceil(next - now))
return {1, string.format('%.3f', next)}
`;

const LOCAL_KEYS_MAX = 50_000;

type Verdict = { isAllowed: boolean; arrivalMs: number };

/** The same rule in this process's memory, for while Redis is away. */
class LocalLimits {
  readonly #arrivals = new Map<string, number>();

  consume(key: string, nowMs: number, intervalMs: number, toleranceMs: number): Verdict {
    const arrivalMs = Math.max(this.#arrivals.get(key) ?? nowMs, nowMs);
    const nextMs = arrivalMs + intervalMs;
    // Rounded to the millisecond: the sums of fractions may differ in their last bits.
    if (Math.floor(nextMs - nowMs) > Math.ceil(toleranceMs)) {
      return { isAllowed: false, arrivalMs };
    }
    this.#makeRoom(nowMs);
    this.#arrivals.delete(key);
    this.#arrivals.set(key, nextMs);
    return { isAllowed: true, arrivalMs: nextMs };
  }

  /** Bounded: the key used longest ago goes, and after it those that have expired. */
  #makeRoom(nowMs: number): void {
    if (this.#arrivals.size < LOCAL_KEYS_MAX) {
      return;
    }
    for (const [key, arrivalMs] of this.#arrivals) {
      if (arrivalMs > nowMs && this.#arrivals.size < LOCAL_KEYS_MAX) {
        return;
      }
      this.#arrivals.delete(key);
    }
  }
}

function stateOf(rule: RateLimitRule, verdict: Verdict, nowMs: number): RateLimitState {
  const intervalMs = (rule.windowSeconds * 1000) / rule.limit;
  const debtMs = verdict.arrivalMs - nowMs;
  const windowMs = rule.windowSeconds * 1000;
  return {
    isAllowed: verdict.isAllowed,
    remaining: verdict.isAllowed ? Math.max(0, Math.round((windowMs - debtMs) / intervalMs)) : 0,
    retryAfterSeconds: verdict.isAllowed
      ? 0
      : Math.max(1, Math.ceil((debtMs + intervalMs - windowMs) / 1000)),
    resetSeconds: Math.max(0, Math.ceil(debtMs / 1000)),
  };
}

/** `ratelimit-policy` and `ratelimit` (draft-ietf-httpapi-ratelimit-headers-10). */
export function rateLimitHeaders(
  rule: RateLimitRule,
  state: RateLimitState,
): { 'ratelimit-policy': string; ratelimit: string } {
  return {
    'ratelimit-policy': `"${rule.name}";q=${rule.limit};w=${rule.windowSeconds}`,
    ratelimit: `"${rule.name}";r=${state.remaining};t=${state.retryAfterSeconds || state.resetSeconds}`,
  };
}

/**
 * Rate limits shared by all processes through Redis, each decision atomic. While Redis is away every
 * process counts for itself, so that logins go on working under a limit.
 *
 * @param options.prefix of the Redis keys
 * @param options.enabled when false, everything is allowed
 */
export function createRateLimiter(options: {
  redis: Redis;
  prefix: string;
  enabled: boolean;
  clockMs: () => number;
}): RateLimiter {
  const { redis, prefix, enabled, clockMs } = options;
  const local = new LocalLimits();

  async function decide(rule: RateLimitRule, key: string, nowMs: number): Promise<Verdict> {
    const windowMs = rule.windowSeconds * 1000;
    const intervalMs = windowMs / rule.limit;
    const name = `${prefix}:rate:${rule.name}:${key}`;
    try {
      const answer: unknown = await redis.eval(
        CONSUME_LUA,
        1,
        name,
        nowMs,
        intervalMs,
        windowMs + 1,
      );
      const [allowed, arrival] = Array.isArray(answer) ? answer : [];
      return { isAllowed: allowed === 1, arrivalMs: Number(arrival) };
    } catch (error) {
      if (!isRedisUnavailable(error)) {
        throw error;
      }
      return local.consume(name, nowMs, intervalMs, windowMs);
    }
  }

  return {
    async consume(rule, key) {
      const nowMs = clockMs();
      if (!enabled) {
        return { isAllowed: true, remaining: rule.limit, retryAfterSeconds: 0, resetSeconds: 0 };
      }
      const state = stateOf(rule, await decide(rule, key, nowMs), nowMs);
      if (!state.isAllowed) {
        throw tooManyRequests(
          'Too many requests, please try again later',
          state.retryAfterSeconds,
          rateLimitHeaders(rule, state),
        );
      }
      return state;
    },
  };
}
