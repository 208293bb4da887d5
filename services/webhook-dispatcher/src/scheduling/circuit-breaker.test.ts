import { describe, expect, it } from 'vitest';
import { CircuitBreaker } from './circuit-breaker.ts';

const failTimes = (breaker: CircuitBreaker, count: number, answered: boolean) => {
  for (let i = 0; i < count; i += 1) breaker.failed(0, { answered });
};

describe('a circuit breaker', () => {
  it('opens after five requests in a row without an answer, for a second', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 4, false);
    expect(breaker.state(0)).toBe('closed');
    failTimes(breaker, 1, false);
    expect(breaker.state(999)).toBe('open');
    expect(breaker.state(1_000)).toBe('half-open');
  });

  it('bears more with an endpoint that answers, though badly', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 19, true);
    expect(breaker.state(0)).toBe('closed');
    failTimes(breaker, 1, true);
    expect(breaker.state(0)).toBe('open');
  });

  it('counts only failures in a row', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 4, false);
    breaker.succeeded();
    failTimes(breaker, 4, false);
    expect(breaker.state(0)).toBe('closed');
    // An answer, however bad, shows that somebody is there.
    failTimes(breaker, 1, true);
    failTimes(breaker, 4, false);
    expect(breaker.state(0)).toBe('closed');
    breaker.succeeded();
    failTimes(breaker, 19, true);
    expect(breaker.state(0)).toBe('closed');
  });

  it('stays open twice as long each time its one trial fails, up to 30 s', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, false);
    let nowMs = 0;
    const pausesMs: number[] = [];
    for (let i = 0; i < 7; i += 1) {
      const openedMs = nowMs;
      while (breaker.state(nowMs) === 'open') nowMs += 1_000;
      pausesMs.push(nowMs - openedMs);
      breaker.failed(nowMs, { answered: false });
    }
    expect(pausesMs).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  it('opens again when its trial is answered badly', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, false);
    breaker.failed(1_000, { answered: true });
    expect(breaker.state(2_999)).toBe('open');
    expect(breaker.state(3_000)).toBe('half-open');
  });

  it('closes when its trial succeeds', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 5, false);
    expect(breaker.state(1_000)).toBe('half-open');
    breaker.succeeded();
    expect(breaker.state(1_000)).toBe('closed');
  });

  it('learns nothing from requests that were under way when it opened', () => {
    const breaker = new CircuitBreaker();
    failTimes(breaker, 10, false);
    expect(breaker.state(1_000)).toBe('half-open');
  });
});
