import { expect, it } from 'vitest';
import { TokenCache } from './token-cache.ts';

it('holds no more than its size and keeps what is asked for', () => {
  const cache = new TokenCache<number>(10);
  cache.set('popular', 0);
  for (let index = 1; index <= 100; index += 1) {
    cache.set(`token ${index}`, index);
    expect(cache.get('popular')).toBe(0);
  }
  const kept = Array.from({ length: 101 }, (_, index) => cache.get(`token ${index}`));
  expect(kept.filter((entry) => entry !== undefined).length).toBeLessThanOrEqual(10);
  cache.delete('popular');
  expect(cache.get('popular')).toBeUndefined();
});
