import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs, RETRY_AFTER_MAX_MS, retryDelayMs } from './retry-schedule.ts';

const delaysMs = [30_000, 120_000, 600_000, 3_600_000];
const attempt = fc.integer({ min: 1, max: 4 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('the retry schedule', () => {
  it('stays within 20 % of the scheduled delay', () => {
    fc.assert(
      fc.property(attempt, random, (attempt, random) => {
        const baseMs = delaysMs[attempt - 1] ?? 0;
        const delayMs = retryDelayMs({ attempt, delaysMs, random }) ?? Number.NaN;
        expect(delayMs).toBeGreaterThanOrEqual(baseMs * 0.8 - 1);
        expect(delayMs).toBeLessThanOrEqual(baseMs * 1.2 + 1);
      }),
    );
  });

  it('spreads retries over that whole range', () => {
    const delayMs = (random: number) => retryDelayMs({ attempt: 2, delaysMs, random });
    expect([delayMs(0), delayMs(0.5), delayMs(0.999_999_9)]).toEqual([96_000, 120_000, 144_000]);
  });

  it('has no delay after the last attempt', () => {
    expect(retryDelayMs({ attempt: 5, delaysMs, random: 0.5 })).toBeUndefined();
  });

  it('is lengthened by Retry-After up to an hour and never shortened', () => {
    fc.assert(
      fc.property(attempt, random, fc.nat(10 ** 9), (attempt, random, retryAfterMs) => {
        const scheduledMs = retryDelayMs({ attempt, delaysMs, random }) ?? Number.NaN;
        const delayMs = retryDelayMs({ attempt, delaysMs, random, retryAfterMs });
        expect(delayMs).toBeGreaterThanOrEqual(scheduledMs);
        expect(delayMs).toBeLessThanOrEqual(Math.max(scheduledMs, RETRY_AFTER_MAX_MS));
        const isHeeded = retryAfterMs > scheduledMs && retryAfterMs <= RETRY_AFTER_MAX_MS;
        expect(!isHeeded || delayMs === retryAfterMs).toBe(true);
      }),
    );
  });
});

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 0, 1, 0, 0, 0);
  it.each([
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Thu, 01 Jan 2026 00:01:30 GMT', 90_000],
    ['Thu, 01 Jan 2015 00:01:30 GMT', undefined],
    ['-5', undefined],
    ['2.5', undefined],
    ['12/31/2099', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s is a delay of %s ms', (header, expected) => {
    expect(parseRetryAfterMs(header, nowMs)).toBe(expected);
  });

  it('never throws on any header', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const delayMs = parseRetryAfterMs(text, nowMs);
        expect(delayMs === undefined || delayMs >= 0).toBe(true);
      }),
    );
  });
});
