import { createHash } from 'node:crypto';

/** Numbers that are the same for the same seed. */
export interface Random {
  /** From `min` up to, not including, `max`. */
  between(min: number, max: number): number;
  /** True so often: 0 is never, 1 is always. */
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  shuffled<T>(items: readonly T[]): T[];
}

const INTEGERS = 2 ** 32;

/** mulberry32, by Tommy Ettinger (public domain). @param seed any text */
export function createRandom(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE();
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / INTEGERS;
  };
  const between = (min: number, max: number) => min + next() * (max - min);
  return {
    between,
    chance: (probability) => next() < probability,
    pick: (items) => items[Math.floor(between(0, items.length))] ?? items[0],
    shuffled: (items) =>
      items
        .map((item) => ({ item, order: next() }))
        .toSorted((a, b) => a.order - b.order)
        .map(({ item }) => item),
  };
}
