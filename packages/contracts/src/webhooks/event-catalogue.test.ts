import { expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import { EVENT_NAMES } from '../event-names.ts';

test('the catalogue contains every event that a subscription can name', () => {
  expect(Object.keys(EVENT_CATALOGUE)).toEqual([...EVENT_NAMES]);
});

test.each(EVENT_NAMES)('the example of %s is valid and has every field of the schema', (name) => {
  const { schema, example } = EVENT_CATALOGUE[name];
  expect(Compile(schema).Check(example)).toBe(true);
  expect(Object.keys(example)).toEqual(Object.keys(schema.properties));
});
