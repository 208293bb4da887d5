import { Ajv, type Options } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifyRequest, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { validationError } from './http-error.ts';
import { fieldName, type RequestPart } from './validation-message.ts';

const COMMON_OPTIONS: Options = {
  // Whatever the schema does not name is dropped, not refused.
  removeAdditional: 'all',
  useDefaults: true,
  allErrors: false,
  // The faults then carry the value and its schema, which their messages are made of.
  verbose: true,
  // Schemas carry words for people (title, description, errorMessage) that Ajv does not know.
  strict: false,
};

/**
 * Bodies mean what they say: nothing is coerced. Everything else arrives as text, so numbers,
 * booleans and one-element lists are made of it as the schema asks.
 */
export function createValidatorCompiler(): FastifySchemaCompiler<TSchema> {
  const strict = new Ajv({ ...COMMON_OPTIONS, coerceTypes: false });
  const coercing = new Ajv({ ...COMMON_OPTIONS, coerceTypes: 'array' });
  addFormats.default(strict);
  addFormats.default(coercing);
  return ({ schema, httpPart }) => (httpPart === 'body' ? strict : coercing).compile(schema);
}

/** Postgres stores neither NUL nor a lone surrogate. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** The path of the first text that cannot be stored. JSON.parse bounds the depth by the body limit. */
function unstorablePath(value: unknown): string[] | undefined {
  const pending: { value: unknown; path: string[] }[] = [{ value, path: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: current, path } = next;
    if (typeof current === 'string' && !isStorable(current)) {
      return path;
    }
    if (typeof current === 'object' && current !== null) {
      for (const [key, inner] of Object.entries(current)) {
        if (typeof inner === 'string' || typeof inner === 'object') {
          pending.push({ value: inner, path: [...path, key] });
        }
      }
    }
  }
  return undefined;
}

/** @throws HttpError 422 when any text of the request could not be stored */
export function assertStorable(request: FastifyRequest): void {
  const parts: [RequestPart, unknown][] = [
    ['params', request.params],
    ['querystring', request.query],
    ['body', request.body],
  ];
  for (const [part, value] of parts) {
    const path = unstorablePath(value);
    if (path !== undefined) {
      throw validationError(`${fieldName(path, part)} contains characters that cannot be stored`);
    }
  }
}
