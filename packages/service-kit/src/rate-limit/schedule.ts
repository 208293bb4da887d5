export interface RateLimitRule {
  /** Names the rule in Redis keys and in the `ratelimit-policy` header. */
  name: string;
  /** Requests allowed at once, and in each window afterwards. */
  limit: number;
  windowSeconds: number;
  /**
   * With delays, each request past the limit is allowed after some time without one: `firstSeconds`,
   * then twice as long each time, up to `maxSeconds`. For password attempts: it slows an attacker
   * down and never locks the owner of the account out for long.
   */
  delays?: { firstSeconds: number; maxSeconds: number };
}

/** Far above what a page or a person needs, and far below what slows a process down. */
export const DEFAULT_PER_MINUTE = { account: 3000, ip: 3000 };

/**
 * What is remembered of a key. `arrivalMs` is the theoretical arrival time of GCRA, the generic cell
 * rate algorithm (ITU-T I.371): it runs ahead of the clock by one interval for each request counted.
 * No request is allowed before `openAtMs`.
 */
export interface Mark {
  arrivalMs: number;
  openAtMs: number;
}

export interface Verdict extends Mark {
  isAllowed: boolean;
}

export interface Schedule {
  /** The time after which one counted request is forgotten. */
  intervalMs: number;
  /** How far arrivals may run ahead of the clock without delay. */
  toleranceMs: number;
  /** 0 for a rule without delays. */
  firstDelayMs: number;
  maxDelayMs: number;
  /** Where arrivals stop running ahead: more would only prolong the time to forget. */
  capMs: number;
}

export function scheduleOf(rule: RateLimitRule): Schedule {
  const windowMs = rule.windowSeconds * 1000;
  const intervalMs = windowMs / rule.limit;
  const { firstSeconds, maxSeconds } = rule.delays ?? { firstSeconds: 0, maxSeconds: 0 };
  const doublings = firstSeconds === 0 ? 0 : Math.ceil(Math.log2(maxSeconds / firstSeconds));
  return {
    intervalMs,
    // Fractions of milliseconds: sums of intervals may differ in their last bits.
    toleranceMs: windowMs + 1,
    firstDelayMs: firstSeconds * 1000,
    maxDelayMs: maxSeconds * 1000,
    capMs: windowMs + (doublings + 1) * intervalMs,
  };
}

/** Decides one request under a schedule; `CONSUME_LUA` is the same algorithm for Redis. */
export function step(schedule: Schedule, before: Mark | undefined, nowMs: number): Verdict {
  const { intervalMs, toleranceMs, firstDelayMs, maxDelayMs, capMs } = schedule;
  const arrivalMs = Math.max(before?.arrivalMs ?? nowMs, nowMs);
  const openAtMs = before?.openAtMs ?? nowMs;
  const nextMs = arrivalMs + intervalMs;
  const isPastLimit = nextMs - nowMs > toleranceMs;
  if (firstDelayMs === 0) {
    return isPastLimit
      ? { isAllowed: false, arrivalMs, openAtMs: nextMs - toleranceMs }
      : { isAllowed: true, arrivalMs: nextMs, openAtMs: nowMs };
  }
  if (nowMs < openAtMs) {
    return { isAllowed: false, arrivalMs, openAtMs };
  }
  // The last request within the limit already makes the next one wait.
  const excess = Math.floor((nextMs - nowMs - toleranceMs) / intervalMs + 1.5);
  const delayMs = excess < 1 ? 0 : Math.min(maxDelayMs, firstDelayMs * 2 ** (excess - 1));
  return {
    isAllowed: true,
    arrivalMs: Math.min(nextMs, nowMs + capMs),
    openAtMs: nowMs + delayMs,
  };
}

/**
 * `step` in Redis. KEYS[1] holds arrival and opening time.
 * ARGV: now, interval, tolerance, first delay, longest delay, cap (all ms).
 * Returns allowed (1 or 0), arrival, opening time.
 */
export const CONSUME_LUA = `
local now, interval, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local first, longest, cap = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local arrival, open = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) (%S+)$')
arrival, open = math.max(tonumber(arrival) or now, now), tonumber(open) or now
local next = arrival + interval
local allowed = 1
if first == 0 then
  if next - now > tolerance then
    allowed, open = 0, next - tolerance
  else
    arrival, open = next, now
  end
elseif now < open then
  allowed = 0
else
  local excess = math.floor((next - now - tolerance) / interval + 1.5)
  open = now
  if excess >= 1 then
    open = now + math.min(longest, first * 2 ^ (excess - 1))
  end
  arrival = math.min(next, now + cap)
end
local answer = {allowed, string.format('%.3f', arrival), string.format('%.3f', open)}
if allowed == 1 then
  local mark = answer[2] .. ' ' .. answer[3]
  redis.call('SET', KEYS[1], mark, 'PX', math.ceil(math.max(arrival, open) - now))
end
return answer
`;

/** Takes one request back, and with it the delay that it caused. ARGV: now, interval (ms). */
export const REFUND_LUA = `
local arrival = string.match(redis.call('GET', KEYS[1]) or '', '^(%S+) ')
if not arrival then
  return 0
end
local now, refunded = tonumber(ARGV[1]), tonumber(arrival) - tonumber(ARGV[2])
if refunded <= now then
  return redis.call('DEL', KEYS[1])
end
local mark = string.format('%.3f %.3f', refunded, now)
redis.call('SET', KEYS[1], mark, 'PX', math.ceil(refunded - now))
return 1
`;

export const FORGET_LUA = `return redis.call('DEL', KEYS[1])`;
