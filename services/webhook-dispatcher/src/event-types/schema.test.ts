import { describe, expect, test } from 'vitest';
import { incompatibilityOf } from './compatibility.ts';
import { resolveSchema, type Schema } from './schema.ts';
import { compileSchema } from './validators.ts';

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('a schema', () => {
  const check = (schema: Schema, data: unknown) => compileSchema(resolveSchema(schema))(data);

  test('says where data is not what it says', () => {
    const schema = object(
      { lines: { type: 'array', items: { $ref: '#/$defs/line' } } },
      { $defs: { line: object({ cents: { type: 'integer' } }, { required: ['cents'] }) } },
    );
    expect(check(schema, { lines: [{ cents: 1 }] })).toBeUndefined();
    expect(check(schema, { lines: [{ cents: 1 }, { cents: 1.5 }] })).toBe(
      'data/lines/1/cents must be integer',
    );
    expect(check(schema, { lines: [{}] })).toBe("data/lines/0 must have required property 'cents'");
  });

  test.each<[string, Schema, RegExp]>([
    [
      'is recursive',
      object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: object({ a: { $ref: '#/$defs/a' } }) } }),
      /recursive/,
    ],
    ['doubles at each step', doubling(12), /too many parts/],
    ['refers elsewhere', object({ a: { $ref: 'https://other.example/schema' } }), /refers to/],
    ['is no object', { type: 'string' }, /type object/],
    ['has an unknown keyword', object({ a: { typo: 1 } }), /typo/],
    [
      'has a pattern that looks ahead',
      object({ a: { type: 'string', pattern: '(?=a)' } }),
      /regexp/,
    ],
    [
      'compares all items with all',
      object({ a: { type: 'array', uniqueItems: true } }),
      /maxItems/,
    ],
    ['is too large', object({ a: { description: 'x'.repeat(40_000) } }), /bytes/],
    ['has a faulty keyword', object({ a: { type: 'text' } }), /is not one/],
  ])('that %s is refused', (_, schema, why) => {
    expect(() => compileSchema(resolveSchema(schema))).toThrow(why);
  });

  test('takes linear time for a pattern that others take exponential time for', () => {
    const schema = object({ a: { type: 'string', pattern: '^(a+)+$' } });
    expect(check(schema, { a: `${'a'.repeat(100_000)}b` })).toMatch(/pattern/);
  });

  test('whose keys are those of every object checks them as any others', () => {
    const schema = object({ constructor: { type: 'integer' } }, { required: ['constructor'] });
    expect(check(schema, {})).toMatch(/constructor/);
    expect(check(schema, JSON.parse('{"constructor": 1, "__proto__": {"a": 1}}'))).toBeUndefined();
  });
});

/** Each of its definitions refers to the next one twice. */
function doubling(steps: number): Schema {
  const definitions = Array.from({ length: steps }, (_, at) => [
    `d${at}`,
    { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
  ]);
  const $defs = { ...Object.fromEntries(definitions), [`d${steps}`]: { type: 'string' } };
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs });
}

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
    ['has a lower limit', changed({ id: { type: 'string', maxLength: 5 } })],
    ['describes itself', changed({}, { description: 'An order' })],
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
