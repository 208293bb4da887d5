import { SCHEMA_MAX_BYTES } from '@atrium/contracts/webhooks/publishing';
import { HttpError } from '@atrium/service-kit/http-error';

/** A JSON Schema, or a part of it. */
export type Schema = { readonly [keyword: string]: unknown };

/** A schema without references and annotations, and what checking one value against it costs at most. */
export interface ResolvedSchema {
  schema: Schema;
  /** As {@link sizeOf} it, with the items that `uniqueItems` compares with each one. */
  size: number;
}

/** Of a schema, as it is written and with its references resolved, and of an example. */
const SIZE_MAX = 2_000;
/** JSON.stringify is recursive, and its stack ends at some thousand. */
export const NESTING_MAX = 500;
/** Characters of different patterns together, those that are repeated written out: compiling takes as much. */
const PATTERNS_MAX = 1_000;
const DEPTH_MAX = 32;

/** They say nothing about which values are valid. */
const ANNOTATIONS: ReadonlySet<string> = wordSet(
  'title description default examples deprecated readOnly writeOnly $comment $schema $id',
);
const VALUES = wordSet(
  'type enum const required format pattern minLength maxLength minimum maximum exclusiveMinimum exclusiveMaximum ' +
    'multipleOf minItems maxItems uniqueItems minProperties maxProperties',
);
const ONE_SCHEMA = new Set(['items', 'additionalProperties', 'propertyNames', 'not']);
const LIST_OF_SCHEMAS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
/** Another one could allow what is not counted here. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const DIALECTS: ReadonlySet<unknown> = new Set([DIALECT, `${DIALECT}#`]);
/** Of RE2, which compiles each character of each range by itself for it: 245 ranges take a second. */
const IGNORES_CASE = /\(\?[a-z-]*i/i;
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
 * compared. An untrusted schema must not keep the service busy: what is unbounded, recursive or unknown is refused.
 *
 * @throws HttpError 422
 */
export function resolveSchema(root: Schema): ResolvedSchema {
  const excess = excessOf(root);
  if (excess !== undefined) throw unusable(excess);
  const { $defs: definitions = {}, ...schema } = root;
  if (!isObject(definitions)) throw unusable('has $defs that are no object');
  if (schema['type'] !== 'object') throw unusable('must have the type object');
  const { $schema: dialect = DIALECT } = schema;
  if (!DIALECTS.has(dialect)) throw unusable(`has another $schema than ${DIALECT}`);
  let size = 0;
  const patterns = new Set<string>();
  const count = (more: number) => {
    size += more;
    if (size > SIZE_MAX) throw unusable('is recursive, or has too many parts');
  };
  const resolved = resolveObject(schema, 0);
  const patternsSize = [...patterns].reduce((sum, pattern) => sum + patternSize(pattern), 0);
  if (patternsSize > PATTERNS_MAX) throw unusable('has too many or too long patterns');
  return { schema: resolved, size };

  function resolve(part: unknown, depth: number): unknown {
    count(1);
    if (typeof part === 'boolean') return part;
    if (!isObject(part)) throw unusable('has something else where a schema belongs');
    if (depth > DEPTH_MAX) throw unusable('is recursive, or too deep');
    const { $ref, ...rest } = part;
    if ($ref !== undefined) return resolve(definitionOf($ref, rest), depth + 1);
    return resolveObject(part, depth);
  }

  function resolveObject(part: Schema, depth: number): Schema {
    const inner = (each: unknown) => resolve(each, depth + 1);
    const rules = Object.entries(part).filter(([keyword]) => !ANNOTATIONS.has(keyword));
    const entries = rules.map(([keyword, value]): [string, unknown] => {
      count(1);
      if (keyword === 'properties' && isObject(value)) {
        count(sizeOf(Object.keys(value)));
        const properties = Object.entries(value).map(([name, each]) => [name, inner(each)]);
        return [keyword, Object.fromEntries(properties)];
      }
      if (LIST_OF_SCHEMAS.has(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
      if (ONE_SCHEMA.has(keyword)) return [keyword, inner(value)];
      if (!VALUES.has(keyword)) throw unusable(`has ${keyword}, which cannot be used here`);
      count(sizeOf(value));
      return [keyword, value];
    });
    checkCost(part);
    return Object.fromEntries(entries);
  }

  function definitionOf($ref: unknown, rest: Schema): unknown {
    const other = Object.keys(rest).find((keyword) => !ANNOTATIONS.has(keyword));
    if (other !== undefined) throw unusable(`has ${other} beside $ref; put both into allOf`);
    const [, name = ''] = REFERENCE.exec(typeof $ref === 'string' ? $ref : '') ?? [];
    const found = Object.entries(Object(definitions)).find(([each]) => each === name);
    if (found === undefined) throw unusable(`refers to ${JSON.stringify($ref)}`);
    return found[1];
  }

  function checkCost({ pattern, uniqueItems, maxItems }: Schema): void {
    if (typeof pattern === 'string') {
      if (IGNORES_CASE.test(pattern.replaceAll(/\\./gs, ''))) {
        throw unusable('has a pattern with (?i); write [Aa] instead');
      }
      patterns.add(pattern);
    }
    if (uniqueItems !== true) return;
    if (!(typeof maxItems === 'number' && maxItems >= 0)) {
      throw unusable('needs maxItems beside uniqueItems');
    }
    count(maxItems);
  }
}

/** Why JSON is more than what a schema or an example may be, so that many of them can be read at once. */
export function excessOf(json: Schema): string | undefined {
  if (sizeOf(json) > SIZE_MAX) return `has more than ${SIZE_MAX} values and names`;
  if (isDeeperThan(NESTING_MAX, json)) return 'is nested too deeply';
  const bytes = Buffer.byteLength(JSON.stringify(json));
  return bytes > SCHEMA_MAX_BYTES ? `has more than ${SCHEMA_MAX_BYTES} bytes` : undefined;
}

/** How many values and names JSON has; a hundred characters of a text or a name count as another. */
export function sizeOf(json: unknown): number {
  let size = 0;
  // Not recursive: JSON may be as deep as it is long.
  const left = [json];
  while (left.length > 0) {
    const value = left.pop();
    size += 1;
    if (typeof value === 'string') size += Math.floor(value.length / 100);
    else if (Array.isArray(value)) for (const each of value) left.push(each);
    else if (isObject(value)) for (const entry of Object.entries(value)) left.push(...entry);
  }
  return size;
}

/** Whether JSON is nested deeper than this. Level by level, not recursive. */
export function isDeeperThan(depthMax: number, json: unknown): boolean {
  let level = [json];
  for (let depth = 0; depth <= depthMax && level.length > 0; depth += 1) {
    level = level.flatMap((value) =>
      isObject(value) || Array.isArray(value) ? Object.values(value) : [],
    );
  }
  return level.length > 0;
}

const REPETITION = /(.?)\{(\d+)(,?)(\d*)\}/gs;

/**
 * About how many instructions a pattern has, before it is compiled: what is repeated is there as many times, with a
 * branch each time if the number is not fixed. A group counts as the whole pattern, an empty one for less than it has.
 */
export function patternSize(pattern: string): number {
  let [size, times] = [pattern.length, 1];
  for (const [, before, min, comma, max] of pattern.matchAll(REPETITION)) {
    const count = Math.max(1, Number(max || min)) + 1;
    if (before === ')') times *= count;
    else size += comma === '' ? count : 2 * count;
  }
  return size * times;
}

export const unusable = (why: string) => new HttpError('schema-unusable', `The schema ${why}`);
