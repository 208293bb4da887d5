import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, decideOutcome } from './outcome.ts';

const nowMs = Date.UTC(2026, 0, 1);
const decide = (answer: Answer, attempt = 1) =>
  decideOutcome({ answer, attempt, delaysMs: [1_000, 2_000, 3_000, 4_000], random: 0.5, nowMs });
const answered = (status: number, retryAfter?: string): Answer => ({
  kind: 'response',
  status,
  retryAfter,
  headers: null,
  excerpt: null,
});

describe('decideOutcome', () => {
  it('returns delivered for 2xx, gone for 410 and retry for any other status', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 599 }), (status) => {
        const { kind } = decide(answered(status));
        const expected = status < 300 ? 'delivered' : status === 410 ? 'gone' : 'retry';
        expect(kind).toBe(expected);
      }),
    );
  });

  it('names the status when the endpoint is gone', () => {
    expect(decide(answered(410))).toEqual({ kind: 'gone', error: 'Answered 410' });
  });

  it.each([429, 503])('honours Retry-After of a %i', (status) => {
    expect(decide(answered(status, '60'))).toMatchObject({ kind: 'retry', delayMs: 60_000 });
    expect(decide(answered(status, 'Thu, 01 Jan 2026 00:02:00 GMT'))).toMatchObject({
      delayMs: 120_000,
    });
    expect(decide(answered(status, '0'))).toMatchObject({ delayMs: 1_000 });
    expect(decide(answered(status, '999999'))).toMatchObject({ delayMs: 3_600_000 });
  });

  it.each([400, 404, 500, 502, 504])('ignores Retry-After of a %i', (status) => {
    expect(decide(answered(status, '60'))).toMatchObject({ kind: 'retry', delayMs: 1_000 });
  });

  it('returns exhausted after the fifth attempt', () => {
    expect(decide(answered(500), 4)).toMatchObject({ kind: 'retry', delayMs: 4_000 });
    expect(decide(answered(500), 5)).toEqual({ kind: 'exhausted', error: 'Answered 500' });
    const failure: Answer = { kind: 'failure', error: 'too late' };
    expect(decide(failure, 5)).toEqual({ kind: 'exhausted', error: 'too late' });
    expect(decide(answered(204), 5)).toEqual({ kind: 'delivered' });
    const delaysMs = [1_000, 2_000, 3_000, 4_000, 5_000];
    const fifth = { answer: failure, attempt: 5, delaysMs, random: 0.5, nowMs };
    expect(decideOutcome(fifth)).toEqual({ kind: 'exhausted', error: 'too late' });
  });
});
