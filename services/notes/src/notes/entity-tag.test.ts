import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entityTag, readIfMatch } from './entity-tag.ts';

test('reads back every entity tag, alone or in a list', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 99_999_999 }), { minLength: 1 }), (versions) => {
      const header = versions.map(entityTag).join(', ');
      expect(readIfMatch(header)).toEqual({ kind: 'versions', versions });
    }),
  );
});

test('matches no version when a tag is malformed, weak or out of range', () => {
  for (const header of ['', '1', 'W/"1"', '"01"', '"-1"', '"1.5"', '"99999999999"']) {
    expect(readIfMatch(header)).toEqual({ kind: 'versions', versions: [] });
  }
  expect(readIfMatch(undefined)).toEqual({ kind: 'none' });
  expect(readIfMatch(' * ')).toEqual({ kind: 'any' });
});
