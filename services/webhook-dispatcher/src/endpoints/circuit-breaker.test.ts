import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

const failTimes = (breaker: CircuitBreaker, count: number, isAnswered: boolean) => {
  for (let i = 0; i < count; i += 1) breaker.fail(0, { isAnswered });
};

describe('a circuit breaker', () => {
  it('opens for a second after five consecutive requests without an answer', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 4, false);
    expect(breaker.state(0)).toBe('closed');
    failTimes(breaker, 1, false);
    expect(breaker.state(999)).toBe('open');
    expect(breaker.state(1_000)).toBe('half-open');
  });

  it('opens after twenty consecutive failures when the endpoint answers', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 19, true);
    expect(breaker.state(0)).toBe('closed');
    failTimes(breaker, 1, true);
    expect(breaker.state(0)).toBe('open');
  });

  it('counts only consecutive failures', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 4, false);
    breaker.succeed();
    failTimes(breaker, 4, false);
    expect(breaker.state(0)).toBe('closed');
    // An error response shows that the endpoint is reachable.
    failTimes(breaker, 1, true);
    failTimes(breaker, 4, false);
    expect(breaker.state(0)).toBe('closed');
    breaker.succeed();
    failTimes(breaker, 19, true);
    expect(breaker.state(0)).toBe('closed');
  });

  it('stays open twice as long each time its trial fails, up to 30 s', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, false);
    let nowMs = 0;
    const pausesMs: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const openedMs = nowMs;
      while (breaker.state(nowMs) === 'open') nowMs += 1_000;
      pausesMs.push(nowMs - openedMs);
      breaker.fail(nowMs, { isAnswered: false });
    }
    expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('opens again when the trial gets an error response', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, false);
    breaker.fail(1_000, { isAnswered: true });
    expect(breaker.state(2_999)).toBe('open');
    expect(breaker.state(3_000)).toBe('half-open');
  });

  it('closes when the trial succeeds', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, false);
    expect(breaker.state(1_000)).toBe('half-open');
    breaker.succeed();
    expect(breaker.state(1_000)).toBe('closed');
  });

  it('ignores failures of requests that were in flight when it opened', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 10, false);
    expect(breaker.state(1_000)).toBe('half-open');
  });
});
