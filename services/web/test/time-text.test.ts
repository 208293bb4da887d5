import { expect, test, vi } from 'vitest';
import { relativeTime } from '../browser/ui/times/time-text.ts';
import { localeOf } from '../browser/texts/languages.ts';

const NOW = Date.parse('2026-03-31T12:00:00Z');
const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

const at = (distanceMs: number, locale = 'en') =>
  relativeTime(new Date(NOW + distanceMs), NOW, { locale, now: 'just now' });

test.each([
  [-59 * SECOND, 'just now'],
  [-60 * SECOND, '1 minute ago'],
  [-HOUR + SECOND, '59 minutes ago'],
  [-HOUR, '1 hour ago'],
  [-DAY, 'yesterday'],
  [-7 * DAY, '7 days ago'],
  [3 * HOUR, 'in 3 hours'],
])('says the time %i ms from now as "%s"', (distanceMs, text) => {
  expect(at(distanceMs)).toBe(text);
});

test('gives the date when it is more than a week away', () => {
  expect(at(-8 * DAY)).toBe('Mar 23, 2026');
  expect(at(30 * DAY, 'de')).toBe('30.04.2026');
});

test('takes the variant of the language that the browser names, if it is a locale', () => {
  const languages = vi.spyOn(navigator, 'languages', 'get');
  languages.mockReturnValue(['en-US@posix', 'de-AT', 'en-GB']);
  expect(['en', 'de', 'fr'].map(localeOf)).toEqual(['en-GB', 'de-AT', 'fr']);
  languages.mockRestore();
});
