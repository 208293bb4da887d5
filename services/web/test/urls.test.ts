import { expect, test } from 'vitest';
import { isDestination, readableUrl, toDestination } from '../browser/ui/urls.ts';

test('completes a URL without a scheme and keeps any other as it was typed', () => {
  expect(toDestination(' example.com/plans ')).toBe('https://example.com/plans');
  expect(toDestination('http://example.com')).toBe('http://example.com');
  expect(toDestination('example.com:8080/plans')).toBe('https://example.com:8080/plans');
  expect(toDestination('localhost:3000')).toBe('https://localhost:3000');
});

test.each(['example.com', 'https://example.com/a?b#c', 'HTTP://localhost:3000'])(
  'accepts %s as a destination',
  (typed) => expect(isDestination(typed)).toBe(true),
);

test.each([
  'two words',
  'ftp://example.com',
  'javascript:alert(1)',
  'tel:110',
  'https://bank@example.com',
])('refuses %s as a destination', (typed) => expect(isDestination(typed)).toBe(false));

test('shows a URL without its scheme and a slash at its end', () => {
  expect(readableUrl('https://example.com/plans')).toBe('example.com/plans');
  expect(readableUrl('https://example.com/')).toBe('example.com');
});
