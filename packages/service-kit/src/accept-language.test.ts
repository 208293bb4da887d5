import { expect, test } from 'vitest';
import { preferredLanguage } from './accept-language.ts';

test.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT', 'de'],
  ['DE-de,en;q=0.5', 'de'],
  ['de,en', 'de'],
  ['en,de', 'en'],
  ['en;q=0.4, de;q=0.6', 'de'],
  ['fr-CH, fr;q=0.9, de;q=0.7, en;q=0.8', 'en'],
  ['de;q=0', 'en'],
  ['de;q=none', 'en'],
  ['fr, *', 'en'],
  [',;q=,,;', 'en'],
])('prefers for %j the language %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
