import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { silent } from './outbox.fixture.ts';
import { createErrorLog } from './queue.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('logs an error at once, and of those that follow one in ten seconds, with their number', () => {
  const lines: object[] = [];
  const logger = { ...silent, warn: (fields: object) => void lines.push(fields) };
  const logError = createErrorLog(logger, { queue: 'mail' }, 'failed');
  const err = new Error('OOM command not allowed');
  for (let tenths = 0; tenths <= 100; tenths++) {
    logError(err);
    vi.advanceTimersByTime(100);
  }
  expect(lines).toEqual([
    { queue: 'mail', err, leftOut: 0 },
    { queue: 'mail', err, leftOut: 99 },
  ]);
});
