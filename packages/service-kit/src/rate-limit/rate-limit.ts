import type { RedisClient } from '@atrium/events/redis-client';
import { tooManyRequests } from '../http-error.ts';
import type { Logger } from '../logger.ts';
import { isRedisUnavailable } from '../outage.ts';
import { clientKeyOf } from './address.ts';
import { createLocalLimits } from './local-limits.ts';
import {
  CONSUME_LUA,
  DEFAULT_PER_MINUTE,
  FORGET_LUA,
  REFUND_LUA,
  type RateLimitRule,
  scheduleOf,
  type Verdict,
} from './schedule.ts';

export type { RateLimitRule } from './schedule.ts';

export interface RateLimitState {
  isAllowed: boolean;
  remaining: number;
  /** Until a refused request would be allowed; 0 when it was allowed. */
  retryAfterSeconds: number;
  /** Until the whole limit is available again. */
  resetSeconds: number;
}

/** The limits of every request, by the account that makes it or, without one, by its IP address. */
export interface DefaultLimits {
  account: RateLimitRule;
  ip: RateLimitRule;
}

export interface RateLimiter {
  /** Undefined while rate limits are off. */
  readonly defaults: DefaultLimits | undefined;
  /**
   * Like `consume`, but counted by this process alone: it costs no round trip, and several processes
   * together allow as many times the limit.
   *
   * @throws HttpError 429 with `Retry-After`
   */
  consumeLocally(rule: RateLimitRule, key: string): RateLimitState;
  /**
   * Counts one request of `key` (an account, an IP address) under a rule. An IPv6 address stands for
   * its /64 network, an IPv4 address written as IPv6 for itself.
   *
   * @param count as how many it counts, 1 by default
   * @throws HttpError 429 with `Retry-After`
   */
  consume(rule: RateLimitRule, key: string, count?: number): Promise<RateLimitState>;
  /**
   * Takes one counted request back, such as a correct login, and no other. Never rejects, since the
   * request itself has succeeded.
   */
  refund(rule: RateLimitRule, key: string): Promise<void>;
  /** Takes every counted request of the key back. Never rejects. */
  forget(rule: RateLimitRule, key: string): Promise<void>;
}

/** Limits that this process counts alone, for a service without Redis. */
export type LocalRateLimiter = Pick<RateLimiter, 'consumeLocally'>;

/** The clocks have fractions of milliseconds, which must not make another second. */
function secondsOf(durationMs: number): number {
  return Math.ceil(Math.round(durationMs) / 1000);
}

function stateOf(rule: RateLimitRule, verdict: Verdict, nowMs: number): RateLimitState {
  const { intervalMs } = scheduleOf(rule);
  const debtMs = Math.max(0, verdict.arrivalMs - nowMs);
  const retryAfterMs = verdict.openAtMs - nowMs;
  return {
    isAllowed: verdict.isAllowed,
    remaining: verdict.isAllowed ? Math.max(0, Math.round(rule.limit - debtMs / intervalMs)) : 0,
    retryAfterSeconds: verdict.isAllowed ? 0 : Math.max(1, secondsOf(retryAfterMs)),
    resetSeconds: secondsOf(debtMs),
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

function assertAllowed(rule: RateLimitRule, state: RateLimitState): RateLimitState {
  if (state.isAllowed) return state;
  throw tooManyRequests(undefined, state.retryAfterSeconds, rateLimitHeaders(rule, state));
}

const perMinute = (name: string, limit: number) => ({ name, limit, windowSeconds: 60 });

/** @param monotonicMs a clock that is never set back, which would prolong a limit */
export function createLocalRateLimiter(
  monotonicMs: () => number = () => performance.now(),
): LocalRateLimiter {
  const limits = createLocalLimits();
  return {
    consumeLocally(rule, key) {
      const nowMs = monotonicMs();
      const verdict = limits.consume(`${rule.name}:${clientKeyOf(key)}`, rule, nowMs);
      return assertAllowed(rule, stateOf(rule, verdict, nowMs));
    },
  };
}

/**
 * Rate limits that all processes share through Redis, each decision atomic. While Redis is unavailable,
 * every process counts by itself, starting from what it last saw: logins continue under a limit, and
 * an outage does not reset it.
 *
 * @param options.keyPrefix of the Redis keys
 * @param options.enabled when false, everything is allowed
 * @param options.monotonicMs the clock of the default limits
 * @param options.perMinute the default limits of one process (3000 each)
 * @param options.logger logs counts that could not be taken back
 */
export function createRateLimiter(options: {
  redis: RedisClient;
  keyPrefix: string;
  enabled: boolean;
  clockMs: () => number;
  monotonicMs?: () => number;
  logger?: Logger;
  perMinute?: { account: number; ip: number };
}): RateLimiter {
  const { redis, keyPrefix, enabled, clockMs, logger } = options;
  const { account, ip } = options.perMinute ?? DEFAULT_PER_MINUTE;
  const local = createLocalLimits();
  // Apart, so that a flood of IP addresses does not push out failed logins while Redis is unavailable.
  const requests = createLocalRateLimiter(options.monotonicMs);
  const nameOf = (rule: RateLimitRule, key: string) =>
    `${keyPrefix}:rate:${rule.name}:${clientKeyOf(key)}`;

  /** The answer of Redis, or undefined while it is unavailable. */
  async function ask(script: string, name: string, ...args: number[]): Promise<unknown> {
    try {
      return (await redis.eval(script, 1, name, ...args)) ?? null;
    } catch (error) {
      if (!isRedisUnavailable(error)) {
        throw error;
      }
      return undefined;
    }
  }

  async function takeBack(rule: RateLimitRule, script: string, name: string, ...args: number[]) {
    try {
      await ask(script, name, ...args);
    } catch (error) {
      logger?.warn({ err: error, rule: rule.name }, 'a counted request could not be taken back');
    }
  }

  async function decide(
    rule: RateLimitRule,
    name: string,
    nowMs: number,
    count: number,
  ): Promise<Verdict> {
    const { intervalMs, toleranceMs, firstDelayMs, maxDelayMs, capMs } = scheduleOf(rule);
    const answer = await ask(
      CONSUME_LUA,
      name,
      nowMs,
      intervalMs * count,
      toleranceMs,
      firstDelayMs,
      maxDelayMs,
      capMs,
    );
    if (!Array.isArray(answer)) {
      return local.consume(name, rule, nowMs, count);
    }
    const [allowed, arrival, openAt] = answer;
    const verdict = {
      isAllowed: allowed === 1,
      arrivalMs: Number(arrival),
      openAtMs: Number(openAt),
    };
    local.record(name, verdict);
    return verdict;
  }

  return {
    defaults: enabled
      ? { account: perMinute('account', account), ip: perMinute('address', ip) }
      : undefined,

    consumeLocally: requests.consumeLocally,

    async consume(rule, key, count = 1) {
      if (!enabled) {
        return { isAllowed: true, remaining: rule.limit, retryAfterSeconds: 0, resetSeconds: 0 };
      }
      const nowMs = clockMs();
      const verdict = await decide(rule, nameOf(rule, key), nowMs, count);
      return assertAllowed(rule, stateOf(rule, verdict, nowMs));
    },

    async refund(rule, key) {
      if (enabled) {
        const name = nameOf(rule, key);
        const nowMs = clockMs();
        local.refund(name, rule, nowMs);
        await takeBack(rule, REFUND_LUA, name, nowMs, scheduleOf(rule).intervalMs);
      }
    },

    async forget(rule, key) {
      if (enabled) {
        const name = nameOf(rule, key);
        local.forget(name);
        await takeBack(rule, FORGET_LUA, name);
      }
    },
  };
}
