import { readdir } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { createPasswordHasher } from '@atrium/service-kit/password-hasher';
import { expect, test } from 'vitest';
import { lowerHashingPriority } from './hashing-priority.ts';

test('lowers the priority of the hashing threads on Linux', async () => {
  const usual = getPriority();
  await createPasswordHasher({ maxConcurrent: 1, maxWaiting: 1 });
  const moved = await lowerHashingPriority();
  expect(getPriority()).toBe(usual);
  if (process.platform !== 'linux') return;
  expect(moved).toBeGreaterThan(0);
  const threads = await readdir('/proc/self/task');
  const behind = threads.filter((thread) => getPriority(Number(thread)) > usual);
  expect(behind).toHaveLength(moved);
});
