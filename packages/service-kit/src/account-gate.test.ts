import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createAccountGate } from './account-gate.ts';

describe('work of one account', () => {
  test('runs one at a time, in the order of its arrival', async () => {
    const gate = createAccountGate();
    const started: number[] = [];
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const runs = ends.map(({ promise }, n) =>
      gate.run('usr_a', async () => {
        started.push(n);
        await promise;
      }),
    );
    const other = await gate.run('usr_b', async () => [...started]);
    expect(other).toEqual([0]);
    ends[0]?.resolve();
    await runs[0];
    expect(started).toEqual([0, 1]);
    for (const { resolve } of ends) resolve();
    await Promise.all(runs);
    expect(started).toEqual([0, 1, 2, 3]);
  });

  describe('that has waited, while work of another account runs', () => {
    /** How long an account rests after work of `tookMs`. */
    async function restAfter(tookMs: number): Promise<number> {
      const gate = createAccountGate();
      const [first, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const others = [
        gate.run('usr_a', () => first.promise),
        gate.run('usr_b', () => other.promise),
      ];
      const second = gate.run('usr_a', async () => performance.now());
      await vi.advanceTimersByTimeAsync(tookMs);
      first.resolve();
      const end = performance.now();
      await vi.advanceTimersByTimeAsync(10_000);
      other.resolve();
      await Promise.all(others);
      return (await second) - end;
    }

    beforeEach(() => {
      vi.useFakeTimers();
      return () => vi.useRealTimers();
    });

    test.each([
      [20, 60],
      [80, 240],
      [1000, 250],
    ])('after %i ms of work begins %i ms later', async (tookMs, restMs) => {
      expect(await restAfter(tookMs)).toBe(restMs);
    });

    test('begins at once when that other account rests itself', async () => {
      const gate = createAccountGate();
      const [first, other] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const runs = [gate.run('usr_a', () => first.promise), gate.run('usr_b', () => other.promise)];
      const started: string[] = [];
      for (const id of ['usr_a', 'usr_b']) {
        runs.push(gate.run(id, async () => void started.push(id)));
      }
      await vi.advanceTimersByTimeAsync(50);
      first.resolve();
      await vi.advanceTimersByTimeAsync(50);
      other.resolve();
      await vi.advanceTimersByTimeAsync(0);
      expect(started).toEqual(['usr_b']);
      await vi.advanceTimersByTimeAsync(100);
      expect(started).toEqual(['usr_b', 'usr_a']);
      await Promise.all(runs);
    });
  });

  test('is refused with 429 when 21 pieces of it are under way', async () => {
    const gate = createAccountGate();
    const { promise, resolve } = Promise.withResolvers<void>();
    const runs = Array.from({ length: 21 }, () => gate.run('usr_a', () => promise));
    await expect(gate.run('usr_a', () => promise)).rejects.toMatchObject({ status: 429 });
    resolve();
    await Promise.all(runs);
    await expect(gate.run('usr_a', async () => 'again')).resolves.toBe('again');
  });

  test('that fails gives its slot back', async () => {
    const gate = createAccountGate();
    const fail = () => gate.run('usr_a', () => Promise.reject(new Error('broken')));
    for (let n = 0; n < 5; n += 1) await expect(fail()).rejects.toThrow('broken');
    await expect(gate.run('usr_a', async () => 'fine')).resolves.toBe('fine');
  });
});
