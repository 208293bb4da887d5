import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { createPasswordHasher, hashingLimits } from './password-hasher.ts';

test('verifies a password against its own hash only, in any Unicode form', async () => {
  const hasher = await createPasswordHasher(hashingLimits(4));
  const hash = await hasher.hash('caf\u00e9 au lait');
  expect(await hasher.verify(hash, 'cafe\u0301 au lait')).toBe(true);
  expect(await hasher.verify(hash, 'cafe au lait')).toBe(false);
});

test('returns false without a stored hash', async () => {
  const hasher = await createPasswordHasher(hashingLimits(4));
  expect(await hasher.verify(undefined, 'nobody has this password')).toBe(false);
});

test('allows one hash more than cores, and leaves one thread free', () => {
  const cores = availableParallelism();
  expect(hashingLimits(1).maxConcurrent).toBe(1);
  expect(hashingLimits(2).maxConcurrent).toBe(1);
  expect(hashingLimits(cores + 1).maxConcurrent).toBe(cores);
  expect(hashingLimits(1024).maxConcurrent).toBe(cores + 1);
});

test('returns 503 at once when the queue is full, and recovers', async () => {
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
