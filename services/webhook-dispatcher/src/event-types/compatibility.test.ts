import { describe, expect, test } from 'vitest';
import { incompatibilityOf } from './compatibility.ts';
import type { Schema } from './schema.ts';

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('another version of a schema', () => {
  const before = object(
    {
      id: { type: 'string', maxLength: 10 },
      total: { type: 'number' },
      state: { enum: ['a', 'b'] },
    },
    { required: ['id'], additionalProperties: false },
  );
  const changed = (properties: Schema, more: Schema = {}) =>
    incompatibilityOf(before, {
      ...before,
      properties: { ...Object(before['properties']), ...properties },
      ...more,
    });

  test.each<[string, string | undefined]>([
    ['adds a property', changed({ note: { type: 'string' } })],
    ['requires more', changed({}, { required: ['id', 'total'] })],
    ['has a narrower type', changed({ total: { type: 'integer' } })],
    ['has fewer values', changed({ state: { enum: ['a'] } })],
    [
      'has the names of a value in another order',
      incompatibilityOf({ enum: [{ a: 1, b: [] }] }, { enum: [{ b: [], a: 1 }] }),
    ],
    ['has a lower limit', changed({ id: { type: 'string', maxLength: 5 } })],
  ])('that %s is compatible', (_, fault) => expect(fault).toBeUndefined());

  test.each<[string, string | undefined, string]>([
    ['requires less', changed({}, { required: [] }), 'data.id may be missing'],
    ['has another type', changed({ total: { type: 'string' } }), 'data.total may be string'],
    [
      'allows another type too',
      changed({ id: { type: ['string', 'null'], maxLength: 10 } }),
      'data.id may be null',
    ],
    ['allows more values', changed({ state: { enum: ['a', 'b', 'c'] } }), 'data.state may be "c"'],
    ['allows any value', changed({ state: {} }), 'data.state may be any value'],
    ['has a higher limit', changed({ id: { type: 'string' } }), 'data.id has a wider maxLength'],
    [
      'leaves a property out',
      incompatibilityOf(before, object({}, { required: ['id'] })) ?? '',
      'data.id is not described any more',
    ],
    [
      'adds a pattern instead of an old one',
      incompatibilityOf({ pattern: 'a' }, { pattern: 'b' }) ?? '',
      'data has another pattern',
    ],
  ])('that %s is not', (_, fault, expected) => expect(fault).toBe(expected));
});
