import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import {
  isDeeperThan,
  NESTING_MAX,
  type ResolvedSchema,
  resolveSchema,
  sizeOf,
  unusable,
} from './schema.ts';

/** About how much memory all checks that are kept take. */
const KEPT_BYTES = 64 * 1024 * 1024;
/** A check of the smallest schema. */
const CHECK_BYTES = 20_000;
/** The code that each character of a schema adds. */
const CHARACTER_BYTES = 64;
/** An instruction of a pattern, without the ranges of its class. */
const INSTRUCTION_BYTES = 500;
/** Each instruction may have a copy of the ranges of its class. */
const RANGE_BYTES = 8;
/** A class such as `\p{L}` has about so many. */
const UNICODE_RANGES = 1_000;
/**
 * Checking one event may take so many steps: each name and value of the schema looks at each one of the event, each
 * instruction of a pattern at each character. ADR 39 says how long that takes.
 */
const STEPS_MAX = 1_000_000;
/** An instruction of a pattern takes as long at one character as so many other steps. */
const INSTRUCTION_STEPS = 2;
const TOO_LARGE = 'is too large to be checked against a schema with so many parts or such patterns';
/** Their expressions take time in proportion to the text. */
const FORMATS = [
  ...(['date-time', 'date', 'email', 'uri', 'uuid', 'ipv4', 'ipv6', 'hostname'] as const),
];

/** A message names values and unknown names up to so many characters. */
const SUBJECT_MAX = 200;

/** Why data is not what a schema says, with the path to the place; undefined when it is. */
export type FindMismatch = (data: unknown) => string | undefined;

interface Check {
  findMismatch: FindMismatch;
  /** About how much memory it takes while it is kept. */
  bytes: number;
}

/** What Ajv needs of a compiled pattern. */
interface RegExpLike {
  test: (text: string) => boolean;
}

const OPTIONS: Options = {
  strict: true,
  strictTypes: false,
  strictRequired: false,
  allowUnionTypes: true,
  // Otherwise each quotient is written as text, and 0.3 is no multiple of 0.1.
  multipleOfPrecision: 9,
  logger: false,
};
/** Knows what a schema is; compiled once, as that takes longer than nearly all schemas do. */
const SCHEMAS = new Ajv2020(OPTIONS);

/**
 * Makes a check of a resolved schema, which takes a bounded number of steps for any data, so that none
 * keeps the service busy. Patterns are run by an engine that takes linear time (RE2).
 *
 * @throws HttpError 422 for a schema that is none
 */
export function compileSchema({ schema, size }: ResolvedSchema): Check {
  let stepsLeft = 0;
  let bytes = CHECK_BYTES + JSON.stringify(schema).length * CHARACTER_BYTES;
  const compiled = new Map<string, RegExpLike>();
  // Ajv calls it for each place that has the pattern.
  const regExp = (source: string): RegExpLike => {
    const known = compiled.get(source);
    if (known !== undefined) return known;
    const pattern = RE2JS.compile(source);
    const instructions = pattern.programSize();
    const ranges = source.length + (/\\p/i.test(source) ? UNICODE_RANGES : 0);
    bytes += instructions * (INSTRUCTION_BYTES + ranges * RANGE_BYTES);
    const matcher = {
      test: (text: string) => {
        stepsLeft -= INSTRUCTION_STEPS * instructions * (text.length + 1);
        // Its test() would keep up to 8 MB of what it has seen.
        return stepsLeft >= 0 && pattern.matcher(text).find();
      },
      // Ajv tells patterns apart by it.
      toString: () => source,
    };
    compiled.set(source, matcher);
    return matcher;
  };
  // One for each schema: it keeps what it compiles.
  const ajv = new Ajv2020({
    ...OPTIONS,
    meta: false,
    validateSchema: false,
    code: { optimize: false, regExp: Object.assign(regExp, { code: 'regExp' }) },
  });
  addFormats.default(ajv, { mode: 'fast', formats: FORMATS });
  let validate: ValidateFunction;
  try {
    void SCHEMAS.validateSchema(schema, true);
    validate = ajv.compile(schema);
  } catch (error) {
    throw unusable(`is not one: ${error instanceof Error ? error.message : String(error)}`);
  }
  const findMismatch = (data: unknown) => {
    if (isDeeperThan(NESTING_MAX, data)) return 'data is nested too deeply';
    stepsLeft = STEPS_MAX - size * sizeOf(data);
    const isValid = stepsLeft >= 0 && validate(data);
    if (stepsLeft < 0) return `data ${TOO_LARGE}`;
    if (isValid) return undefined;
    return describeFault(validate.errors?.[0]);
  };
  return { findMismatch, bytes };
}

/** What is wrong and where. Ajv's own text leaves out the values or the name that it is about. */
function describeFault({ instancePath = '', message, params }: Partial<ErrorObject> = {}): string {
  const { allowedValues, allowedValue, additionalProperty } = params ?? {};
  const subject: unknown = allowedValues ?? allowedValue ?? additionalProperty;
  const said = subject === undefined ? '' : `: ${shortened(JSON.stringify(subject))}`;
  return `data${instancePath.replaceAll('/', '.')} ${message ?? 'is not valid'}${said}`;
}

const shortened = (text: string): string =>
  text.length > SUBJECT_MAX ? `${text.slice(0, SUBJECT_MAX).toWellFormed()}…` : text;

/**
 * The check of a schema, by its JSON: a name and a version may mean another schema, once the account that owned the
 * name was erased. Checks that were used longest ago are dropped, and made again when needed.
 */
export function createValidators() {
  const kept = new LRUCache<string, Check>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ bytes }, json) => bytes + 2 * json.length,
  });
  return (json: string): FindMismatch => {
    let check = kept.get(json);
    if (check === undefined) {
      check = compileSchema(resolveSchema(JSON.parse(json)));
      kept.set(json, check);
    }
    return check.findMismatch;
  };
}

export type FindValidator = ReturnType<typeof createValidators>;
