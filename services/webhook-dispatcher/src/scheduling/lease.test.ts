import { expect, test } from 'vitest';
import { newLease } from './lease.ts';

test('a request that begins as late as it may, ends and is stored before its lease does', () => {
  const beforeMs = Date.now();
  const { leaseMs, startBeforeMs } = newLease(15_000);
  const latestMs = startBeforeMs - beforeMs;
  expect(latestMs).toBeGreaterThan(0);
  expect(latestMs + 15_000).toBeLessThan(leaseMs);
});

test('no lease is like another', () => {
  expect(newLease(15_000).leaseId).not.toBe(newLease(15_000).leaseId);
});
