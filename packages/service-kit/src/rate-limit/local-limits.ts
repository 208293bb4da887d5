import { LRUCache } from 'lru-cache';
import { atMost } from '../at-most.ts';
import { type Mark, type RateLimitRule, scheduleOf, step, type Verdict } from './schedule.ts';

const KEYS_MAX = 50_000;

/** Rules in the memory of this process: for every request, and for named rules while Redis is unavailable. */
export interface LocalLimits {
  consume(name: string, rule: RateLimitRule, nowMs: number, count?: number): Verdict;
  /** Remembers what Redis decided. */
  record(name: string, mark: Mark): void;
  refund(name: string, rule: RateLimitRule, nowMs: number): void;
  forget(name: string): void;
}

/** Holds 50,000 keys; beyond them the one used longest ago is forgotten. */
export function createLocalLimits(): LocalLimits {
  const marks = new LRUCache<string, Mark>(atMost(KEYS_MAX));
  return {
    consume(name, rule, nowMs, count = 1) {
      const schedule = scheduleOf(rule);
      const intervalMs = schedule.intervalMs * count;
      const verdict = step({ ...schedule, intervalMs }, marks.get(name), nowMs);
      if (verdict.isAllowed) {
        marks.set(name, verdict);
      }
      return verdict;
    },
    record: (name, mark) => void marks.set(name, mark),
    refund(name, rule, nowMs) {
      const mark = marks.get(name);
      if (mark !== undefined) {
        const arrivalMs = mark.arrivalMs - scheduleOf(rule).intervalMs;
        marks.set(name, { arrivalMs, openAtMs: nowMs });
      }
    },
    forget: (name) => void marks.delete(name),
  };
}
