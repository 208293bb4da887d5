import { expect, test } from 'vitest';
import { createPasswordHasher } from './hasher.ts';

test('a password fits its own hash only, however its characters were typed', async () => {
  const hasher = await createPasswordHasher();
  const hash = await hasher.hash('caf\u00e9 au lait');
  expect(await hasher.verify(hash, 'cafe\u0301 au lait')).toBe(true);
  expect(await hasher.verify(hash, 'cafe au lait')).toBe(false);
});

test('no hash never fits', async () => {
  const hasher = await createPasswordHasher();
  expect(await hasher.verify(undefined, 'nobody has this password')).toBe(false);
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
  expect(results.at(-1)).toMatchObject({ reason: { status: 503 } });
  await hasher.hash('a lantern in the fog');
});
