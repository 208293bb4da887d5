import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseYaml } from './parse-yaml.ts';

/** A text of which the parser makes collections within another. */
const nested = (open: string, close = '', times = 151) => open.repeat(times) + close.repeat(times);

describe('refuses without parsing', () => {
  test.each([
    ['a collection as a key', '? a\n: b'],
    ['keys of keys', nested('? ')],
    ['keys of keys below each other', nested('? \n')],
    ['keys in lists', nested('- ? ')],
    ['keys in lists of one line', nested('[? ', ']')],
    ['keys in maps of one line', nested('{? ', '}')],
    ['keys with an anchor', nested('&a ? ')],
    ['keys with a tag', nested('! ? ')],
    ['lists of one line as keys', nested('[', ': 1]')],
    ['lists of one line', nested('[', ']')],
    ['lists without an end', nested('[')],
    ['maps of one line', nested('{', '}')],
    ['maps of one line as keys', nested('{', ': 1}')],
    ['ends without a list', nested(']', '', 301)],
    ['lists in lists', nested('- ', '', 301)],
    ['values of values', nested(': - ')],
    ['values on one line', nested('a: ', '', 301)],
  ])('%s', (_name, text) => {
    expect(() => parseYaml(text)).toThrow('too complex');
  });
});

test('reads what an export says of a note, whatever it is called', () => {
  // No line end: the library writes one after a space so that it reads something else.
  const character = fc.constantFrom('?', '-', '[', '{', ':', ' ', '"', "'", '#', '&', 'a');
  const title = fc.oneof(
    fc.string({ unit: character, maxLength: 200 }),
    fc.string({ unit: 'grapheme', maxLength: 50 }),
  );
  const tags = fc.array(fc.string({ unit: character, maxLength: 50 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.record({ title, tags }), (properties) => {
      expect(parseYaml(stringify(properties, { lineWidth: 0 }))).toEqual(properties);
    }),
  );
});
