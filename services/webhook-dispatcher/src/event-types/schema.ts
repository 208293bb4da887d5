import { SCHEMA_MAX_BYTES } from '@atrium/contracts/webhooks/publishing';
import { HttpError } from '@atrium/service-kit/http-error';

/** A JSON Schema, or a part of it. */
export type Schema = { readonly [keyword: string]: unknown };

/** Schemas and values of `enum` in one, its references replaced: what checking a value against it costs. */
const PARTS_MAX = 500;
const PATTERNS_MAX = 20;
/** Comparing each item with all others costs the square of their number. */
const UNIQUE_ITEMS_MAX = 100;
const DEPTH_MAX = 32;

/** They say nothing about which values are valid. */
export const ANNOTATIONS: ReadonlySet<string> = wordSet(
  'title description default examples deprecated readOnly writeOnly $comment $schema $id',
);
const VALUES = wordSet(
  'type enum const required format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems uniqueItems minProperties maxProperties',
);
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
const LIST_OF_SCHEMAS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const REFERENCE = /^#\/\$defs\/([^/~%]+)$/;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

export const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a JSON column holds. */
export const objectOf = (value: unknown): Schema => (isObject(value) ? value : {});

/**
 * A schema with what it refers to in the place of its references, so that its cost can be seen and versions
 * compared. A schema of a stranger must not keep the service busy: what is unbounded, recursive or unknown is refused.
 *
 * @throws HttpError 422
 */
export function resolveSchema(root: Schema): Schema {
  if (Buffer.byteLength(JSON.stringify(root)) > SCHEMA_MAX_BYTES) {
    throw unusable(`has more than ${SCHEMA_MAX_BYTES} bytes`);
  }
  const { $defs: definitions = {}, ...schema } = root;
  if (!isObject(definitions)) throw unusable('has $defs that are no object');
  if (schema['type'] !== 'object') throw unusable('must have the type object');
  let parts = 0;
  let patterns = 0;
  const count = (more: number) => {
    parts += more;
    if (parts > PARTS_MAX) throw unusable('is recursive, or has too many parts');
  };
  return resolveObject(schema, 0);

  function resolve(part: unknown, depth: number): unknown {
    count(1);
    if (typeof part === 'boolean') return part;
    if (!isObject(part)) throw unusable('has something else where a schema belongs');
    if (depth > DEPTH_MAX) throw unusable('is recursive, or too deep');
    return resolveObject(part, depth);
  }

  function resolveObject(part: Schema, depth: number): Schema {
    const { $ref, ...rest } = part;
    if ($ref !== undefined) return { ...Object(resolve(definitionOf($ref, rest), depth + 1)) };
    const inner = (each: unknown) => resolve(each, depth + 1);
    const entries = Object.entries(rest).map(([keyword, value]): [string, unknown] => {
      if (keyword === 'properties' && isObject(value)) {
        const properties = Object.entries(value).map(([name, each]) => [name, inner(each)]);
        return [keyword, Object.fromEntries(properties)];
      }
      if (LIST_OF_SCHEMAS.has(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
      if (ONE_SCHEMA.has(keyword)) return [keyword, inner(value)];
      if (!VALUES.has(keyword) && !ANNOTATIONS.has(keyword)) {
        throw unusable(`has ${keyword}, which cannot be used here`);
      }
      return [keyword, value];
    });
    checkCost(rest);
    return Object.fromEntries(entries);
  }

  function definitionOf($ref: unknown, rest: Schema): unknown {
    const other = Object.keys(rest).find((keyword) => !ANNOTATIONS.has(keyword));
    if (other !== undefined) throw unusable(`has ${other} beside $ref; put both into allOf`);
    const [, name = ''] = REFERENCE.exec(String($ref)) ?? [];
    const found = Object.entries(Object(definitions)).find(([each]) => each === name);
    if (found === undefined) throw unusable(`refers to ${String($ref)}`);
    return found[1];
  }

  function checkCost({ enum: values, pattern, uniqueItems, maxItems }: Schema): void {
    if (Array.isArray(values)) count(values.length);
    if (pattern !== undefined) patterns += 1;
    if (patterns > PATTERNS_MAX) throw unusable(`has more than ${PATTERNS_MAX} patterns`);
    if (uniqueItems === true && !(typeof maxItems === 'number' && maxItems <= UNIQUE_ITEMS_MAX)) {
      throw unusable(`needs maxItems of at most ${UNIQUE_ITEMS_MAX} beside uniqueItems`);
    }
  }
}

export const unusable = (why: string) => new HttpError('schema-unusable', `The schema ${why}`);
