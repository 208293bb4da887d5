import type { RouteOptions } from 'fastify';
import type { Server } from './server.ts';

/** Bytes that a small body may have too: it may be indented, and a field that is too long can be named. */
export const BODY_LIMIT_BYTES = 16 * 1024;
/** A character as an escaped surrogate pair: `\ud83d\ude00`. */
const BYTES_PER_CHARACTER = 12;
const NUMBER_BYTES = 32;
/** What a browser may add to what a schema names, where that is allowed. */
const OTHER_FIELDS_BYTES = 8 * 1024;
/** Formats that Ajv gives a length. */
const FORMATS: Record<string, number> = { date: 10, uuid: 45 };
/** One class of characters, repeated so many times: `^[a-z]{3,30}$`. */
const REPEATED_CLASS = /^\^\[(?:[^\]\\]|\\.)+\]\{(?:\d+,)?(\d+)\}\$$/;

/**
 * Lets a body have only as many bytes as its schema can need, and refuses to add a route with a string, list
 * or map in its body, query or path that has no greatest length.
 */
export function boundRequests(server: Server): void {
  server.addHook('onRoute', (route) => {
    const { body, querystring, params }: Record<string, Schema> = Object(route.schema);
    boundOf(querystring, `query of ${nameOf(route)}`);
    boundOf(params, `path of ${nameOf(route)}`);
    const bytes = boundOf(body, `body of ${nameOf(route)}`);
    if (bytes > BODY_LIMIT_BYTES) route.bodyLimit ??= bytes;
  });
}

const nameOf = ({ method, url }: RouteOptions) => `${String(method)} ${url}`;

const isBinary = (schema: unknown) => Object.hasOwn(Object(schema), 'content');

interface Schema {
  type?: unknown;
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  maxLength?: number;
  pattern?: string;
  format?: string;
  items?: Schema | Schema[];
  maxItems?: number;
  properties?: Record<string, Schema>;
  patternProperties?: Record<string, Schema>;
  additionalProperties?: unknown;
  propertyNames?: Schema;
  maxProperties?: number;
}

/**
 * The most bytes that a value of this schema takes as JSON.
 *
 * @throws Error when there is no such number
 */
export function boundOf(schema: Schema | undefined, path: string): number {
  if (schema === undefined || isBinary(schema)) return 0;
  const { enum: values = 'const' in schema ? [schema.const] : undefined, anyOf } = schema;
  if (values !== undefined) return Math.max(...values.map((value) => sizeOf(value)));
  if (anyOf !== undefined) return Math.max(...anyOf.map((one) => boundOf(one, path)));
  switch (schema.type) {
    case 'string':
      return boundOfText(schema, path);
    case 'array':
      return boundOfList(schema, path);
    case 'object':
      return boundOfObject(schema, path);
    case 'integer':
    case 'number':
    case 'boolean':
    case 'null':
      return NUMBER_BYTES;
    default:
      throw new Error(`${path} may be anything: its type is missing`);
  }
}

const sizeOf = (value: unknown) => JSON.stringify(value).length * BYTES_PER_CHARACTER;

function required(bound: number | undefined, path: string, keyword: string): number {
  if (bound === undefined) throw new Error(`${path} has no ${keyword}`);
  return bound;
}

function boundOfText({ maxLength, pattern = '', format = '' }: Schema, path: string): number {
  const [, ofPattern] = REPEATED_CLASS.exec(pattern) ?? [];
  const length = maxLength ?? FORMATS[format] ?? (ofPattern && Number(ofPattern));
  return required(length || undefined, path, 'maxLength') * BYTES_PER_CHARACTER;
}

function boundOfList({ items, maxItems }: Schema, path: string): number {
  if (!Array.isArray(items)) {
    return required(maxItems, path, 'maxItems') * (boundOf(items ?? {}, `${path}[]`) + 1);
  }
  return items.reduce((bytes, item) => bytes + boundOf(item, `${path}[]`) + 1, 2);
}

function boundOfObject(schema: Schema, path: string): number {
  const { properties = {}, patternProperties = {}, propertyNames, maxProperties } = schema;
  const [ofName] = Object.values(patternProperties);
  let bytes = schema.additionalProperties === true ? OTHER_FIELDS_BYTES : 0;
  for (const [name, inner] of Object.entries(properties)) {
    bytes += sizeOf(name) + boundOf(inner, `${path}.${name}`) + 2;
  }
  if (ofName === undefined) return bytes;
  const nameBytes = boundOf({ type: 'string', ...propertyNames }, `${path} names`);
  const entries = required(maxProperties, path, 'maxProperties');
  return bytes + entries * (nameBytes + boundOf(ofName, `${path}.*`) + 2);
}
