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

/** A value and the way to it, as links: a copied path for each value would cost depth squared. */
interface Place {
  value: unknown;
  step: string;
  parent?: Place;
}

function pathTo(place: Place): string[] {
  const path: string[] = [];
  for (let at = place; at.parent !== undefined; at = at.parent) {
    path.push(at.step);
  }
  return path.toReversed();
}

/** The path of the first text that cannot be stored. The body limit bounds depth and size. */
function unstorablePath(root: unknown): string[] | undefined {
  const pending: Place[] = [{ value: root, step: '' }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { value } = place;
    if (typeof value === 'string' && !isStorable(value)) {
      return pathTo(place);
    }
    if (typeof value === 'object' && value !== null) {
      for (const [step, inner] of Object.entries(value)) {
        if (typeof inner === 'string' || typeof inner === 'object') {
          pending.push({ value: inner, step, parent: place });
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
