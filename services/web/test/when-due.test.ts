import { expect, test } from 'vitest';
import { canResend, whenDue } from '../browser/deliveries/when-due.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');

const at = (seconds: number) => new Date(NOW + seconds * 1000).toISOString();

test.each([
  [-60, 'due'],
  [-59, 'soon'],
  [59, 'soon'],
  [60, 'later'],
])('what is due in %i s is called %s', (seconds, expected) => {
  expect(whenDue(at(seconds), NOW)).toBe(expected);
});

test.each([
  ['exhausted', null, true],
  ['delivered', null, true],
  ['pending', at(0), false],
  ['failed', at(1), true],
  // Its webhook is paused: the service answers 409.
  ['failed', at(0), false],
  // An attempt is on its way.
  ['failed', null, false],
] as const)(
  '%s with the next attempt at %s can be resent: %s',
  (state, nextAttemptAt, expected) => {
    expect(canResend({ state, nextAttemptAt }, NOW)).toBe(expected);
  },
);
