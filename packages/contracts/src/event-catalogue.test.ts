import { expect, test } from 'vitest';
import { Compile } from 'typebox/compile';
import { EVENT_CATALOGUE } from './event-catalogue.ts';
import { EVENT_NAMES } from './events.ts';

test('every event that can be subscribed to is in the catalogue', () => {
  expect(Object.keys(EVENT_CATALOGUE)).toEqual([...EVENT_NAMES]);
});

test.each(EVENT_NAMES)('the example of %s is what its schema asks for, and all of it', (name) => {
  const { schema, example } = EVENT_CATALOGUE[name];
  expect(Compile(schema).Check(example)).toBe(true);
  expect(Object.keys(example)).toEqual(Object.keys(schema.properties));
});
