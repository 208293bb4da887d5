import { expect, test } from 'vitest';
import { whenDue } from '../browser/deliveries/when-due.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');

test.each([
  [-60, 'due'],
  [-59, 'soon'],
  [59, 'soon'],
  [60, 'later'],
])('what is due in %i s is called %s', (seconds, expected) => {
  expect(whenDue(new Date(NOW + seconds * 1000).toISOString(), NOW)).toBe(expected);
});
