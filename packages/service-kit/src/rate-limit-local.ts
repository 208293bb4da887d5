import {
  type Mark,
  type RateLimitRule,
  scheduleOf,
  step,
  type Verdict,
} from './rate-limit-schedule.ts';

const KEYS_MAX = 50_000;

/** The same rules in this process's memory, for while Redis is away. */
export interface LocalLimits {
  consume(name: string, rule: RateLimitRule, nowMs: number): Verdict;
  /** Remembers what Redis decided. */
  record(name: string, mark: Mark, nowMs: number): void;
  refund(name: string, rule: RateLimitRule, nowMs: number): void;
  forget(name: string): void;
}

/** Bounded: at 50,000 keys the one used longest ago goes, and after it those that are over. */
export function createLocalLimits(): LocalLimits {
  const marks = new Map<string, Mark>();

  function remember(name: string, { arrivalMs, openAtMs }: Mark, nowMs: number): void {
    marks.delete(name);
    if (marks.size >= KEYS_MAX) {
      makeRoom(nowMs);
    }
    marks.set(name, { arrivalMs, openAtMs });
  }

  function makeRoom(nowMs: number): void {
    for (const [name, { arrivalMs, openAtMs }] of marks) {
      if (Math.max(arrivalMs, openAtMs) > nowMs && marks.size < KEYS_MAX) {
        return;
      }
      marks.delete(name);
    }
  }

  return {
    consume(name, rule, nowMs) {
      const verdict = step(scheduleOf(rule), marks.get(name), nowMs);
      if (verdict.isAllowed) {
        remember(name, verdict, nowMs);
      }
      return verdict;
    },
    record: remember,
    refund(name, rule, nowMs) {
      const mark = marks.get(name);
      if (mark !== undefined) {
        const arrivalMs = mark.arrivalMs - scheduleOf(rule).intervalMs;
        remember(name, { arrivalMs, openAtMs: nowMs }, nowMs);
      }
    },
    forget: (name) => void marks.delete(name),
  };
}
