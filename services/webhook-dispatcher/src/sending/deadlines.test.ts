import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { Deadlines, Timed } from './deadlines.ts';

class Probe extends Timed {
  readonly #onExpire: () => void;

  constructor(onExpire: () => void = () => undefined) {
    super();
    this.#onExpire = onExpire;
  }

  expire(): void {
    this.#onExpire();
  }
}

test('expires each deadline that was not ended once, in order and not early', async () => {
  using deadlines = new Deadlines(30);
  const expired: { n: number; atMs: number }[] = [];
  const startedMs = performance.now();
  const { promise: last, resolve } = Promise.withResolvers<void>();
  const probes = Array.from({ length: 6 }, (_, n) => {
    const probe = new Probe(() => {
      expired.push({ n, atMs: performance.now() });
      if (n === 5) resolve();
    });
    deadlines.start(probe, startedMs + n * 5);
    return probe;
  });
  for (const n of [0, 3]) deadlines.end(probes[n] ?? new Probe());
  await last;
  expect(expired.map(({ n }) => n)).toEqual([1, 2, 4, 5]);
  expect(expired.every(({ n, atMs }) => atMs >= startedMs + n * 5 + 30)).toBe(true);
});

test('never expires what was ended, in any order and any number of times', () => {
  vi.useFakeTimers();
  try {
    fc.assert(
      fc.property(fc.array(fc.nat(9)), (ended) => {
        using deadlines = new Deadlines(10);
        const left = new Set<number>();
        const probes = Array.from({ length: 10 }, (_, n) => new Probe(() => left.add(n)));
        for (const probe of probes) deadlines.start(probe, performance.now());
        for (const n of ended) deadlines.end(probes[n] ?? new Probe());
        // One that starts after others, or all, have ended.
        deadlines.start(new Probe(() => left.add(10)), performance.now());
        vi.advanceTimersByTime(50);
        const expected = probes.map((_, n) => n).filter((n) => !ended.includes(n));
        expect([...left]).toEqual([...expected, 10]);
        expect(vi.getTimerCount()).toBe(0);
      }),
    );
  } finally {
    vi.useRealTimers();
  }
});
