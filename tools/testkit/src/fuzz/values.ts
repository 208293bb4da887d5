import fc from 'fast-check';
import Type, { type Static } from 'typebox';
import { hostileValue, strayKey } from './hostile.ts';

/** The part of JSON Schema that our schemas use. */
export const JsonSchema = Type.Cyclic(
  {
    JsonSchema: Type.Object({
      type: Type.Optional(Type.String()),
      const: Type.Optional(Type.Unknown()),
      enum: Type.Optional(Type.Array(Type.Unknown())),
      anyOf: Type.Optional(Type.Array(Type.Ref('JsonSchema'))),
      properties: Type.Optional(Type.Record(Type.String(), Type.Ref('JsonSchema'))),
      required: Type.Optional(Type.Array(Type.String())),
      items: Type.Optional(Type.Ref('JsonSchema')),
      format: Type.Optional(Type.String()),
      pattern: Type.Optional(Type.String()),
      minLength: Type.Optional(Type.Number()),
      maxLength: Type.Optional(Type.Number()),
      minimum: Type.Optional(Type.Number()),
      maximum: Type.Optional(Type.Number()),
      minItems: Type.Optional(Type.Number()),
      maxItems: Type.Optional(Type.Number()),
    }),
  },
  'JsonSchema',
);
export type JsonSchema = Static<typeof JsonSchema>;

/**
 * Values by field name that get further into a handler than random ones. Text between two @@ is a
 * placeholder.
 */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** A value that the schema allows, except that lengths may be counted differently. */
export function validValue(
  schema: JsonSchema,
  name: string,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> {
  const branches = schema.anyOf;
  if (branches !== undefined) {
    return fc.oneof(...branches.map((branch) => validValue(branch, name, knownValues)));
  }
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  switch (schema.type) {
    case 'object': {
      const fields = Object.entries(schema.properties ?? {});
      const model = fields.map(
        ([key, inner]) => [key, validValue(inner, key, knownValues)] as const,
      );
      return fc.record(Object.fromEntries(model), { requiredKeys: schema.required ?? [] });
    }
    case 'array':
      return fc.array(validValue(schema.items ?? {}, name, knownValues), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 3, 3),
      });
    case 'string': {
      const known = knownValues[name];
      const fresh = validText(schema);
      return known === undefined
        ? fresh
        : fc.oneof(
            { weight: 3, arbitrary: fc.constantFrom(...known) },
            { weight: 1, arbitrary: fresh },
          );
    }
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'number':
      return fc.double({ noNaN: true, min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    default:
      return fc.jsonValue({ maxDepth: 1 });
  }
}

function validText({ format, pattern, minLength = 0, maxLength = 200 }: JsonSchema) {
  if (format === 'email') return fc.emailAddress();
  if (format === 'date' || format === 'date-time') {
    return fc
      .date({ noInvalidDate: true, min: new Date('1000-01-01'), max: new Date('2026-01-01') })
      .map((date) => date.toISOString().slice(0, format === 'date' ? 10 : undefined));
  }
  if (pattern !== undefined) {
    return fc.stringMatching(new RegExp(pattern)).map((text) => text.slice(0, maxLength));
  }
  return fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, minLength + 30) });
}

/** A valid value with one mistake. */
export function nearValue(
  schema: JsonSchema,
  name: string,
  knownValues: KnownValues,
): fc.Arbitrary<unknown> {
  const edits = fc.array(edit, { minLength: 1, maxLength: 2 });
  return fc
    .tuple(validValue(schema, name, knownValues), edits)
    .map(([value, each]) => each.reduce(applyEdit, value));
}

interface Edit {
  kind: 'drop' | 'replace' | 'stray' | 'wrap' | 'inside';
  at: number;
  key: string;
  value: unknown;
}

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('drop', 'replace', 'replace', 'replace', 'stray', 'wrap', 'inside'),
  at: fc.nat(),
  key: strayKey,
  value: hostileValue,
});

function applyEdit(target: unknown, { kind, at, key, value }: Edit): unknown {
  if (typeof target !== 'object' || target === null) return value;
  const copy: Record<string, unknown> = { ...target };
  const keys = Object.keys(copy);
  const chosen = keys[at % Math.max(1, keys.length)];
  if (kind === 'stray' || chosen === undefined) {
    return { ...copy, [key]: value };
  }
  const inner = copy[chosen];
  if (kind === 'drop') {
    Reflect.deleteProperty(copy, chosen);
    return copy;
  }
  const isNested = kind === 'inside' && typeof inner === 'object' && inner !== null;
  copy[chosen] = isNested
    ? applyEdit(inner, { kind: 'replace', at: at >>> 3, key, value })
    : kind === 'wrap'
      ? [inner]
      : value;
  return Array.isArray(target) ? Object.values(copy) : copy;
}
