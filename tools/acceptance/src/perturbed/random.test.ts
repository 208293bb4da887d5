import { expect, test } from 'vitest';
import { createRandom } from './random.ts';

const draw = (seed: string) => {
  const random = createRandom(seed);
  return [
    random.between(0, 100),
    random.pick(['a', 'b', 'c']),
    random.chance(0.5),
    ...random.shuffled([1, 2, 3, 4, 5]),
  ];
};

test('draws the same for the same seed, and something else for another', () => {
  expect(draw('7 notes')).toEqual(draw('7 notes'));
  expect(draw('7 notes')).not.toEqual(draw('8 notes'));
});

test('keeps within the bounds, and every item when it shuffles', () => {
  const random = createRandom('bounds');
  const drawn = Array.from({ length: 1_000 }, () => random.between(2, 3));
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(2);
  expect(Math.max(...drawn)).toBeLessThan(3);
  expect(random.shuffled([3, 1, 2]).toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
});
