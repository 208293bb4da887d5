import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { createPasswordHasher, hashingLimits } from './hasher.ts';

test('a password fits its own hash only, however its characters were typed', async () => {
  const hasher = await createPasswordHasher(hashingLimits(4));
  const hash = await hasher.hash('caf\u00e9 au lait');
  expect(await hasher.verify(hash, 'cafe\u0301 au lait')).toBe(true);
  expect(await hasher.verify(hash, 'cafe au lait')).toBe(false);
});

test('no hash never fits', async () => {
  const hasher = await createPasswordHasher(hashingLimits(4));
  expect(await hasher.verify(undefined, 'nobody has this password')).toBe(false);
});

test('hashes one for each core, and leaves one thread to everything else', () => {
  const cores = availableParallelism();
  expect(hashingLimits(1).maxConcurrent).toBe(1);
  expect(hashingLimits(2).maxConcurrent).toBe(1);
  expect(hashingLimits(cores + 1).maxConcurrent).toBe(cores);
  expect(hashingLimits(1024).maxConcurrent).toBe(cores + 1);
});

test('past the queue the answer is 503 at once, and the queue recovers', async () => {
  const hasher = await createPasswordHasher({ maxConcurrent: 1, maxWaiting: 2 });
  const results = await Promise.allSettled(
    Array.from({ length: 5 }, () => hasher.hash('a lantern in the fog')),
  );
  expect(results.map((result) => result.status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ]);
  expect(results.at(-1)).toMatchObject({
    reason: { status: 503, headers: { 'retry-after': '2' } },
  });
  await hasher.hash('a lantern in the fog');
});
