import { Ajv, type Options, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type HttpError, notFound, validationError } from '../http-error.ts';
import { fieldName, requestFault, type RequestPart } from './validation-message.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route checks the items of a list in the body by itself, each with `createItemCheck`. */
    checksItems?: boolean;
  }
}

const COMMON_OPTIONS: Options = {
  useDefaults: true,
  allErrors: false,
  // Error messages are made from the value and its schema.
  verbose: true,
  // Schemas carry keywords that Ajv does not know (title, description, errorMessage).
  strict: false,
};

function strictAjv(): Ajv {
  const ajv = new Ajv({ ...COMMON_OPTIONS, coerceTypes: false });
  addFormats.default(ajv);
  return ajv;
}

/**
 * Nothing in a body is coerced, and fields that its schema does not name are refused: a misspelt field
 * would otherwise be a change that did not happen. All other parts of a request arrive as text, which
 * becomes numbers, booleans and one-element lists as the schema asks; what it does not name is dropped,
 * except headers. A schema is compiled when its first request comes, as in `createSerializerCompiler`.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const strict = strictAjv();
  const coercing = new Ajv({ ...COMMON_OPTIONS, coerceTypes: 'array' });
  const dropping = new Ajv({ ...COMMON_OPTIONS, coerceTypes: 'array', removeAdditional: 'all' });
  for (const ajv of [coercing, dropping]) addFormats.default(ajv);
  // A time in a query is a bound of a range: one that `Date` cannot read, such as a leap second, would be none.
  const isDateTime = strict.compile({ type: 'string', format: 'date-time' });
  dropping.addFormat(
    'date-time',
    (text: string) => isDateTime(text) && !Number.isNaN(Date.parse(text)),
  );
  function compile(schema: TSchema, part: string | undefined): ValidateFunction {
    if (part === 'body') return strict.compile(withoutOtherFields(schema));
    return (part === 'headers' ? coercing : dropping).compile(schema);
  }
  return ({ schema, httpPart }) => {
    let validate: ValidateFunction | undefined;
    return (value: unknown) => {
      validate ??= compile(schema, httpPart);
      return validate(value) || { error: validate.errors ?? [] };
    };
  };
}

/** The schema, where every object that does not say otherwise has only the fields that it names. */
function withoutOtherFields(schema: object): object {
  const own: Record<string, unknown> = { ...schema };
  for (const keyword of ['items', 'anyOf']) {
    const inner = own[keyword];
    if (Array.isArray(inner)) own[keyword] = inner.map(withoutOtherFields);
    else if (isObject(inner)) own[keyword] = withoutOtherFields(inner);
  }
  const { properties } = own;
  if (isObject(properties)) {
    own['properties'] = Object.fromEntries(
      Object.entries(properties).map(([name, inner]) => [name, withoutOtherFields(Object(inner))]),
    );
    own['additionalProperties'] ??= false;
  }
  return own;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Postgres stores neither NUL nor a lone surrogate. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** A value and its path as a linked list: a copied path per value would cost depth squared. */
interface Node {
  value: unknown;
  step: string;
  parent?: Node;
}

function pathTo(node: Node): string[] {
  const path: string[] = [];
  for (let at = node; at.parent !== undefined; at = at.parent) {
    path.push(at.step);
  }
  return path.toReversed();
}

/** The path of a text that cannot be stored. The body limit bounds depth and size. */
function unstorablePath(root: unknown): string[] | undefined {
  const pending: Node[] = [{ value: root, step: '' }];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { value } = node;
    if (typeof value === 'string' && !isStorable(value)) {
      return pathTo(node);
    }
    // A file is bytes: as fields, those of a picture would take more memory than a process has.
    if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const [step, inner] of Object.entries(value)) {
        if (typeof inner === 'string' || typeof inner === 'object') {
          pending.push({ value: inner, step, parent: node });
        }
      }
    }
  }
  return undefined;
}

function storageFault(value: unknown, part: RequestPart): HttpError | undefined {
  const path = unstorablePath(value);
  if (path === undefined) return undefined;
  // A wildcard is no field of the caller's.
  if (path.at(0) === '*') return notFound('Page');
  return validationError(`${fieldName(path, part)} contains characters that cannot be stored`);
}

/** @throws HttpError 422 when Postgres could not store a text of the request; 404 in a wildcard */
export function assertStorable(request: FastifyRequest): void {
  const { checksItems } = request.routeOptions.config;
  const parts: [RequestPart, unknown][] = [
    ['params', request.params],
    ['querystring', request.query],
    ['body', checksItems === true && Array.isArray(request.body) ? undefined : request.body],
  ];
  for (const [part, value] of parts) {
    const fault = storageFault(value, part);
    if (fault !== undefined) throw fault;
  }
}

/** Checks the items of a list one by one, as if each were a body, where one fault must not refuse them all. */
export function createItemCheck(schema: TSchema): (item: unknown) => HttpError | undefined {
  const ajv = strictAjv();
  const validate = ajv.compile(withoutOtherFields(schema));
  return (item) =>
    validate(item) ? storageFault(item, 'body') : requestFault(validate.errors ?? [], 'body');
}
