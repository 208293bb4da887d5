import { isDeepStrictEqual } from 'node:util';
import { canonicalJson } from '../canonical-json.ts';
import { isObject, type Schema } from './schema.ts';

const LOWER_BOUNDS = 'minimum exclusiveMinimum minLength minItems minProperties'.split(' ');
const UPPER_BOUNDS = 'maximum exclusiveMaximum maxLength maxItems maxProperties'.split(' ');
/** These may change so that fewer values are valid; all other keywords must stay as they are. */
const COMPARED = new Set<string>([
  'type',
  'properties',
  'required',
  'items',
  'enum',
  'additionalProperties',
  ...LOWER_BOUNDS,
  ...UPPER_BOUNDS,
]);

/**
 * Why a receiver that was written for the one schema could not read what the other allows; undefined when it can.
 * New properties are always compatible: receivers pass over what they do not know. Both schemas are resolved.
 *
 * @returns one clause, such as "data.total may be a string"
 */
export function incompatibilityOf(
  before: Schema,
  after: Schema,
  path = 'data',
): string | undefined {
  return (
    ofTypes(before, after, path) ??
    ofRequired(before, after, path) ??
    ofEnum(before, after, path) ??
    ofBounds(before, after, path) ??
    ofProperties(before, after, path) ??
    ofItems(before, after, path) ??
    ofTheRest(before, after, path)
  );
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined ? [] : [value];

function ofTypes(before: Schema, after: Schema, path: string): string | undefined {
  const known = listOf(before['type']);
  if (known.length === 0) return undefined;
  if (known.includes('number')) known.push('integer');
  const types = listOf(after['type']);
  const other = types.length === 0 ? 'of any type' : types.find((type) => !known.includes(type));
  return other === undefined ? undefined : `${path} may be ${textOf(other)}`;
}

function ofRequired(before: Schema, after: Schema, path: string): string | undefined {
  const still = new Set(listOf(after['required']));
  const gone = listOf(before['required']).find((name) => !still.has(name));
  return gone === undefined ? undefined : `${path}.${textOf(gone)} may be missing`;
}

function ofEnum(before: Schema, after: Schema, path: string): string | undefined {
  if (before['enum'] === undefined) return undefined;
  // Each value once, since both lists may have a thousand.
  const known = new Set(listOf(before['enum']).map(canonicalJson));
  const values = after['const'] === undefined ? after['enum'] : [after['const']];
  if (values === undefined) return `${path} may be any value`;
  const other = listOf(values).find((value) => !known.has(canonicalJson(value)));
  return other === undefined ? undefined : `${path} may be ${JSON.stringify(other)}`;
}

function ofBounds(before: Schema, after: Schema, path: string): string | undefined {
  const isWider = (keyword: string, sign: 1 | -1) => {
    const [then, now] = [before[keyword], after[keyword]];
    return typeof then === 'number' && !(typeof now === 'number' && (now - then) * sign >= 0);
  };
  const wider =
    LOWER_BOUNDS.find((keyword) => isWider(keyword, 1)) ??
    UPPER_BOUNDS.find((keyword) => isWider(keyword, -1));
  return wider === undefined ? undefined : `${path} has a wider ${wider}`;
}

function ofProperties(before: Schema, after: Schema, path: string): string | undefined {
  const known = Object.entries(Object(before['properties']));
  const now: Schema = Object(after['properties']);
  for (const [name, then] of known) {
    const inner = `${path}.${name}`;
    if (!Object.hasOwn(now, name)) return `${inner} is not described any more`;
    const fault = ofParts(then, now[name], inner);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function ofItems(before: Schema, after: Schema, path: string): string | undefined {
  return before['items'] === undefined
    ? undefined
    : ofParts(before['items'], after['items'], `${path}[]`);
}

function ofParts(before: unknown, after: unknown, path: string): string | undefined {
  if (isObject(before) && isObject(after)) return incompatibilityOf(before, after, path);
  return isDeepStrictEqual(before, after) || before === true ? undefined : `${path} has changed`;
}

function ofTheRest(before: Schema, after: Schema, path: string): string | undefined {
  const changed = Object.keys(before)
    .filter((keyword) => !COMPARED.has(keyword))
    .find((keyword) => !isDeepStrictEqual(before[keyword], after[keyword]));
  return changed === undefined ? undefined : `${path} has another ${changed}`;
}
