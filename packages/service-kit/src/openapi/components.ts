import { isDeepStrictEqual } from 'node:util';

export type Schema = Record<string, unknown>;
export type Components = Record<string, Schema>;

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const WITH_SCHEMA = ['items', 'additionalProperties'];
const WITH_LIST = ['anyOf', 'prefixItems'];
const WITH_NAMES = ['properties'];

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** JSON Schema 2020-12 has `prefixItems` where TypeBox writes the older form of a tuple. */
function modernTuple(schema: Schema): Schema {
  if (!Array.isArray(schema['items'])) return schema;
  const { additionalItems: _, items, ...rest } = schema;
  return { ...rest, prefixItems: items, items: false };
}

/**
 * The schema as the document shows it: each schema with a title in it is moved to `components` and
 * referred to. `errorMessage` is our validator's, not a keyword of OpenAPI.
 *
 * @throws Error when two different schemas have one title
 */
export function moveToComponents(schema: unknown, components: Components): unknown {
  if (!isSchema(schema)) return schema;
  const { title, errorMessage: _, ...rest } = schema;
  const own = modernTuple(rest);
  const move = (inner: unknown) => moveToComponents(inner, components);
  for (const [keyword, value] of Object.entries(own)) {
    if (WITH_SCHEMA.includes(keyword)) own[keyword] = move(value);
    if (WITH_LIST.includes(keyword) && Array.isArray(value)) own[keyword] = value.map(move);
    if (WITH_NAMES.includes(keyword) && isSchema(value)) {
      own[keyword] = Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [name, move(inner)]),
      );
    }
  }
  if (typeof title !== 'string') return own;
  const withoutExamples = (component: Schema) => ({ ...component, examples: [] });
  const known = (components[title] ??= own);
  if (!isDeepStrictEqual(withoutExamples(known), withoutExamples(own))) {
    throw new Error(`Two different schemas have the title ${title}`);
  }
  return { $ref: `#/components/schemas/${title}` };
}
