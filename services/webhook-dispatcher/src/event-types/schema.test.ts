import fc from 'fast-check';
import { RE2JS } from 're2js';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { patternSize, resolveSchema, type Schema } from './schema.ts';
import { compileSchema, createValidators } from './validators.ts';

const object = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

const patterns = (...all: string[]): Schema =>
  object(Object.fromEntries(all.map((pattern, at) => [`p${at}`, { type: 'string', pattern }])));
const none = (anyOf: Schema[]): Schema => object({ a: { items: { not: { anyOf } } } });
const EMAIL = { minLength: 1, maxLength: 1_000_000, format: 'email' };
const unique = (maxItems: number): Schema =>
  object({ a: { type: 'array', items: {}, uniqueItems: true, maxItems } });
const DIALECT = 'https://json-schema.org/draft/2020-12';
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth));
const list = <T>(length: number, item: (at: number) => T) =>
  Array.from({ length }, (_, at) => item(at));

describe('a schema', () => {
  const check = (schema: Schema, data: unknown) =>
    compileSchema(resolveSchema(schema)).findMismatch(data);

  test('says where data is not what it says', () => {
    const schema = object(
      { lines: { type: 'array', items: { $ref: '#/$defs/line' } } },
      { $defs: { line: object({ cents: { type: 'integer' } }, { required: ['cents'] }) } },
    );
    expect(check(schema, { lines: [{ cents: 1 }] })).toBeUndefined();
    expect(check(schema, { lines: [{ cents: 1 }, { cents: 1.5 }] })).toBe(
      'data.lines.1.cents must be integer',
    );
    expect(check(schema, { lines: [{}] })).toBe("data.lines.0 must have required property 'cents'");
  });

  test('says which values and names it allows, shortened', () => {
    const schema = object({ a: { enum: ['EUR', 1] } }, { additionalProperties: false });
    expect(check(schema, { a: 2 })).toMatch(/^data.a must be .* allowed values: \["EUR",1\]$/);
    expect(check(schema, { b: 2 })).toMatch(/^data must NOT have additional properties: "b"$/);
    const message = check(object({ a: { enum: list(1_000, String) } }), { a: 1 });
    expect(message).toMatch(/allowed values: \["0","1",.{150,200}…$/);
  });

  test('may name its dialect with and without an empty fragment', () => {
    for (const $schema of [`${DIALECT}/schema`, `${DIALECT}/schema#`]) {
      expect(check(object({}, { $schema }), {})).toBeUndefined();
    }
  });

  test.each<[string, Schema, RegExp]>([
    [
      'is recursive',
      object({ a: { $ref: '#/$defs/a' } }, { $defs: { a: object({ a: { $ref: '#/$defs/a' } }) } }),
      /recursive/,
    ],
    ['doubles at each step', doubling(12), /too many parts/],
    [
      'repeats much that it refers to',
      repeating({ required: list(100, String) }),
      /too many parts/,
    ],
    ['repeats a long name', repeating({ required: ['x'.repeat(5_000)] }), /too many parts/],
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
    ['compares more items than it may have parts', unique(2_001), /too many parts/],
    ['compares with a large value', object({ a: { const: list(2_000, String) } }), /2000 values/],
    ['repeats much in a pattern', patterns('^(\\pL{1,1000}\\d|\\pL{1,999}_)$'), /long patterns/],
    ['repeats what is repeated', patterns('((a{9}){9}){9}'), /long patterns/],
    ['ignores case', patterns('(?i)[B-\u{1e900}]'), /\(\?i\)/u],
    ['ignores case in a part of a pattern', patterns('\\\\(?si-m:[B-\u{1e900}])'), /\(\?i\)/u],
    ['has long patterns', patterns('a'.repeat(501), 'b'.repeat(500)), /long patterns/],
    ['is of another dialect', object({}, { $schema: `${DIALECT}/core` }), /another \$schema/],
    ['is of a reference that is no text', object({ a: { $ref: ['#/$defs/a'] } }), /refers to/],
    [
      'has much besides its rules',
      object({}, { examples: list(2_000, () => ({})) }),
      /2000 values/,
    ],
    ['is nested deeply', object({}, { default: nested(600) }), /nested too deeply/],
    ['is too large', object({ a: { description: 'x'.repeat(40_000) } }), /bytes/],
    ['has a faulty keyword', object({ a: { type: 'text' } }), /is not one/],
  ])('that %s is refused', (_, schema, why) => {
    expect(() => compileSchema(resolveSchema(schema))).toThrow(why);
  });

  test('takes linear time for a pattern that others take exponential time for', () => {
    const schema = object({ a: { type: 'string', pattern: '^(a+)+$' } });
    expect(check(schema, { a: `${'a'.repeat(10_000)}b` })).toMatch(/match pattern/);
  });

  test('tells its patterns apart, and may have one in many places', () => {
    const [letters, digits] = ['^[a-z]{200}$', '^[0-9]{200}$'];
    const schema = patterns(...list(20, () => letters), digits);
    expect(check(schema, { p0: 'a'.repeat(200), p20: '0'.repeat(200) })).toBeUndefined();
    expect(check(schema, { p19: '0'.repeat(200) })).toMatch(/p19 must match/);
    expect(check(schema, { p20: 'a'.repeat(200) })).toMatch(/p20 must match/);
  });

  test('with a large pattern in many places is compiled and weighed as with one', () => {
    const compile = vi.spyOn(RE2JS, 'compile');
    onTestFinished(() => compile.mockRestore());
    const schema = patterns(...list(300, () => '\\pL{990}'));
    const findValidator = createValidators();
    const findMismatch = findValidator(JSON.stringify(schema));
    expect(findMismatch({ p299: 'x' })).toMatch(/p299 must match/);
    expect(findValidator(JSON.stringify(schema))).toBe(findMismatch);
    expect(compile).toHaveBeenCalledTimes(1);
  });

  test.each<[string, Schema, (size: number) => unknown, number]>([
    [
      'alternatives',
      none(list(400, (at) => ({ required: [`z${at}`] }))),
      (n) => list(n, () => ({})),
      600,
    ],
    ['items to compare', unique(100), (n) => list(n, () => ({})), 8_000],
    [
      'values',
      object({ a: { items: { enum: list(400, String) } } }),
      (n) => list(n, () => '1'),
      2_000,
    ],
    ['a long pattern', none([{ pattern: '^.{1,400}$' }]), (n) => ['x'.repeat(n)], 600],
    [
      'lengths of long texts',
      none(list(400, (at) => ({ minLength: 1e6 + at }))),
      (n) => ['x'.repeat(n)],
      80_000,
    ],
    ['rules for long texts', none(list(200, () => EMAIL)), (n) => ['x'.repeat(n)], 70_000],
  ])('with many %s is not used for data with as many', (_, schema, items, size) => {
    expect(String(check(schema, { a: items(size / 10) }))).not.toMatch(/too large/);
    expect(check(schema, { a: items(size * 2) })).toMatch(/^data is too large/);
  });

  test('has no pattern that is much larger than it is taken for', () => {
    const atom = fc.constantFrom(
      'a',
      '.',
      '\\d',
      '[a-z]',
      '\\)',
      '[)]',
      '\\pL',
      '()',
      '\\x{1F600}',
      '|',
    );
    const suffix = fc.constantFrom('', '', '*', '+?', '?', '{3}', '{0,4}', '{2,}', '{0}', '{1,9}?');
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc
        .array(
          fc.tuple(
            fc.oneof(
              atom,
              tie('pattern').map((inner) => `(${inner})`),
            ),
            suffix,
          ),
          { maxLength: 5 },
        )
        .map((pairs) => pairs.flat().join('')),
    }));
    fc.assert(
      fc.property(pattern, (source) => {
        let compiled: RE2JS;
        try {
          compiled = RE2JS.compile(source);
        } catch {
          return;
        }
        // Even an empty program fails or matches, and an empty group begins and ends.
        expect(compiled.programSize()).toBeLessThanOrEqual(2 * patternSize(source) + 5);
      }),
    );
  });

  test('that repeats long annotations is weighed without them', () => {
    const title = 'x'.repeat(20_000);
    const { schema } = resolveSchema(repeating({ title, type: 'object' }));
    expect(JSON.stringify(schema).length).toBeLessThan(3_000);
  });

  test('may refer to one that nothing fits', () => {
    const schema = object({ a: { $ref: '#/$defs/none' } }, { $defs: { none: false } });
    expect(check(schema, {})).toBeUndefined();
    expect(check(schema, { a: 1 })).toMatch(/false/);
  });

  test('compares decimals as they are written', () => {
    const schema = object({ price: { multipleOf: 0.01 } });
    expect(check(schema, { price: 19.99 })).toBeUndefined();
    expect(check(schema, { price: 19.995 })).toMatch(/multiple of 0.01/);
  });

  test('may have parentheses and question marks in its patterns', () => {
    const schema = patterns('^\\(?i(?<first>a)(?:b)(?s:.)$');
    expect(check(schema, { p0: '(iab\n' })).toBeUndefined();
    expect(check(schema, { p0: '(IAB\n' })).toMatch(/p0 must match/);
  });

  test('whose keys are those of every object checks them as any others', () => {
    const schema = object({ constructor: { type: 'integer' } }, { required: ['constructor'] });
    expect(check(schema, {})).toMatch(/constructor/);
    expect(check(schema, JSON.parse('{"constructor": 1, "__proto__": {"a": 1}}'))).toBeUndefined();
  });
});

/** Refers to the same definition a hundred times. */
function repeating(part: Schema): Schema {
  return object({}, { $defs: { part }, anyOf: list(100, () => ({ $ref: '#/$defs/part' })) });
}

/** Each of its definitions refers to the next one twice. */
function doubling(steps: number): Schema {
  const definitions = Array.from({ length: steps }, (_, at) => [
    `d${at}`,
    { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
  ]);
  const $defs = { ...Object.fromEntries(definitions), [`d${steps}`]: { type: 'string' } };
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs });
}
