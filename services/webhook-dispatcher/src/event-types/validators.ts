import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import { resolveSchema, type Schema, unusable } from './schema.ts';

/** Characters of schemas whose checks are kept. */
const KEPT_CHARACTERS = 1024 * 1024;
/** Their expressions take time in proportion to the text. */
const FORMATS = [
  ...(['date-time', 'date', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname'] as const),
];

/** Why data is not what a schema says, with the path to the place; undefined when it is. */
export type FindMismatch = (data: unknown) => string | undefined;

/**
 * Makes a check of a resolved schema. Patterns are run by an engine that takes linear time (RE2), so that none
 * of a stranger's keeps the service busy.
 *
 * @throws HttpError 422 for a schema that is none
 */
export function compileSchema(schema: Schema): FindMismatch {
  const regExp = (pattern: string) => RE2JS.compile(pattern);
  // One for each schema: it keeps what it compiles.
  const ajv = new Ajv2020({
    meta: true,
    strict: true,
    strictTypes: false,
    strictRequired: false,
    allowUnionTypes: true,
    logger: false,
    code: { regExp: Object.assign(regExp, { code: 'regExp' }) },
  });
  addFormats.default(ajv, { mode: 'fast', formats: FORMATS });
  let validate: ValidateFunction;
  try {
    validate = ajv.compile(schema);
  } catch (error) {
    throw unusable(`is not one: ${error instanceof Error ? error.message : String(error)}`);
  }
  return (data) => {
    if (validate(data)) return undefined;
    const [fault] = validate.errors ?? [];
    return `data${fault?.instancePath ?? ''} ${fault?.message ?? 'is not valid'}`;
  };
}

/**
 * The check of a schema, by its JSON: a name and a version may mean another schema, once the account that owned the
 * name was erased. Checks that were used longest ago are dropped, and made again when needed.
 */
export function createValidators() {
  const kept = new LRUCache<string, FindMismatch>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, json) => json.length,
  });
  return (schema: Schema): FindMismatch => {
    const json = JSON.stringify(schema);
    const found = kept.get(json);
    if (found !== undefined) return found;
    const check = compileSchema(resolveSchema(schema));
    kept.set(json, check);
    return check;
  };
}

export type FindValidator = ReturnType<typeof createValidators>;
