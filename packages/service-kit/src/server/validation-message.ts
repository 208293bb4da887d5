import { badRequest, validationError, type HttpError } from '../http-error.ts';

/** An error object of Ajv in verbose mode. */
export interface SchemaFault {
  keyword: string;
  instancePath: string;
  schemaPath: string;
  params: Record<string, unknown>;
  data?: unknown;
  schema?: unknown;
  parentSchema?: Record<string, unknown>;
}

export type RequestPart = 'body' | 'querystring' | 'params' | 'headers';

const PART_NAMES: Record<RequestPart, string> = {
  body: 'Request body',
  querystring: 'Query',
  params: 'Path',
  headers: 'Headers',
};

const FORMATS: Record<string, string> = {
  email: 'must be a valid email address',
  date: 'must be a valid date in the form YYYY-MM-DD',
  'date-time': 'must be a valid timestamp in ISO 8601 form',
  uri: 'must be a valid URL',
  uuid: 'must be a valid UUID',
};

const ARTICLES: Record<string, string> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'a boolean',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

/** Names come from the caller and can be as long as a body: a message repeats no more of one. */
const NAME_MAX_CHARACTERS = 60;

const INITIALISMS = new Set(['url', 'id', 'ip']);

/** `profileLinks` → "Profile links", `url` → "URL". */
function humanise(name: string): string {
  const words = shortened(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase()
    .split(' ')
    .map((word) => (INITIALISMS.has(word) ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function shortened(name: string): string {
  if (name.length <= NAME_MAX_CHARACTERS) return name;
  // Not through the middle of a surrogate pair.
  return `${name.slice(0, NAME_MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')}…`;
}

/** The field's name for a person: the last named step; an element is "Tags item 2". */
export function fieldName(path: readonly string[], part: RequestPart): string {
  const isStep = (step: string) => /^\d{1,9}$/.test(step);
  const named = path.findLastIndex((step) => !isStep(step));
  const name = path[named];
  if (name === undefined) {
    return PART_NAMES[part];
  }
  const index = path[named + 1];
  return index === undefined ? humanise(name) : `${humanise(name)} item ${Number(index) + 1}`;
}

function stepsOf(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function plural(count: unknown, noun: string): string {
  return `${String(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function typeNames(type: unknown): string {
  const types = new Set([type].flat());
  return [...types].map((name) => ARTICLES[String(name)] ?? String(name)).join(' or ');
}

/** The rule that a value breaks, as the words after the field's name. */
function predicate({ keyword, params, parentSchema }: SchemaFault): string {
  const { limit } = params;
  switch (keyword) {
    case 'format':
      return FORMATS[String(params['format'])] ?? `must be a valid ${String(params['format'])}`;
    case 'minLength':
      return limit === 1
        ? 'must not be empty'
        : `must be at least ${plural(limit, 'character')} long`;
    case 'maxLength':
      return `must be at most ${plural(limit, 'character')} long`;
    case 'minimum':
      return `must be at least ${String(limit)}`;
    case 'maximum':
      return `must be at most ${String(limit)}`;
    case 'exclusiveMinimum':
      return `must be greater than ${String(limit)}`;
    case 'exclusiveMaximum':
      return `must be less than ${String(limit)}`;
    case 'minItems':
      return `must contain at least ${plural(limit, 'item')}`;
    case 'maxItems':
      return `must contain at most ${plural(limit, 'item')}`;
    case 'uniqueItems':
      return 'must not contain the same item twice';
    case 'minProperties':
      return `must contain at least ${plural(limit, 'field')}`;
    case 'pattern': {
      const hint = parentSchema?.['errorMessage'];
      return typeof hint === 'string' ? hint : 'has an invalid format';
    }
    default:
      return 'is not valid';
  }
}

/** The allowed literals: one `const` per branch, or an `enum`. */
function literalsOf(faults: readonly SchemaFault[]): unknown[] {
  return faults.flatMap(({ keyword, params }) => {
    if (keyword === 'const') {
      return [params['allowedValue']];
    }
    const { allowedValues } = params;
    return keyword === 'enum' && Array.isArray(allowedValues) ? allowedValues : [];
  });
}

function literalError(faults: readonly SchemaFault[], field: string, data: unknown): HttpError {
  const literals = literalsOf(faults);
  if (!literals.some((literal) => typeof literal === typeof data)) {
    const types = [...new Set(literals.map((literal) => typeof literal))];
    return badRequest(`${field} must be ${typeNames(types)}`);
  }
  const [only] = literals;
  return validationError(
    literals.length === 1
      ? `${field} must be ${String(only)}`
      : `${field} must be one of: ${literals.map(String).join(', ')}`,
  );
}

/** A literal that a field of the value misses, which makes the value one of another branch. */
function literalFault(branch: unknown, union: SchemaFault): SchemaFault | undefined {
  const { properties = {} } = Object(branch);
  for (const [name, { const: allowedValue }] of Object.entries<Record<string, unknown>>(
    properties,
  )) {
    const data: unknown = Object(union.data)[name];
    if (allowedValue === undefined || data === undefined || data === allowedValue) continue;
    const instancePath = `${union.instancePath}/${name}`;
    return { ...union, keyword: 'const', instancePath, params: { allowedValue }, data };
  }
  return undefined;
}

/** The faults without those of branches that a literal rules out; when it rules out all, only that is wrong. */
function withoutOtherBranches(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  let left = faults;
  for (const union of faults.filter(({ keyword }) => keyword === 'anyOf')) {
    const branches = [union.schema].flat();
    const others = branches.map((branch) => literalFault(branch, union));
    const missed = others.filter((other) => other !== undefined);
    if (missed.length === branches.length) return missed;
    left = left.filter(
      ({ schemaPath }) =>
        !others.some((other, n) => other && schemaPath.startsWith(`${union.schemaPath}/${n}/`)),
    );
  }
  return left;
}

function describe(all: readonly SchemaFault[], part: RequestPart): HttpError {
  const faults = withoutOtherBranches(all);
  // A union reports the errors of every branch; the one closest to the value makes the message.
  const chosen =
    faults.find(({ keyword }) => !['type', 'const', 'enum', 'anyOf', 'oneOf'].includes(keyword)) ??
    faults.find(({ keyword }) => keyword === 'const' || keyword === 'enum') ??
    faults.find(({ keyword }) => keyword === 'type');
  if (chosen === undefined) {
    return validationError(`${PART_NAMES[part]} is not valid`);
  }
  const path = stepsOf(chosen.instancePath);
  const field = fieldName(path, part);
  switch (chosen.keyword) {
    case 'required':
      return badRequest(
        `${fieldName([...path, String(chosen.params['missingProperty'])], part)} is required`,
      );
    case 'additionalProperties':
      return validationError(
        // As the caller wrote it, to be found again.
        `${shortened(String(chosen.params['additionalProperty']))} is not a known field`,
      );
    case 'type': {
      const peers = faults.filter(
        ({ keyword, instancePath }) => keyword === 'type' && instancePath === chosen.instancePath,
      );
      if (path.length === 0 && (chosen.data === undefined || chosen.data === null)) {
        return badRequest(`${field} is required`);
      }
      return badRequest(
        `${field} must be ${typeNames(peers.flatMap(({ params }) => params['type']))}`,
      );
    }
    case 'const':
    case 'enum':
      return literalError(faults, field, chosen.data);
    default:
      return validationError(`${field} ${predicate(chosen)}`);
  }
}

/**
 * The response to an invalid request: 400 when it cannot be read (a field is missing, a wrong JSON
 * type), 422 when it can but is not valid. The message starts with the field's name.
 */
export function requestFault(faults: readonly SchemaFault[], part: string): HttpError {
  const isPart = (name: string): name is RequestPart => Object.hasOwn(PART_NAMES, name);
  return describe(faults, isPart(part) ? part : 'body');
}
