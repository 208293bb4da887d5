import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import type { TSchema } from 'typebox';

/**
 * Compiles the schema of an answer when the first one is sent. All of a service's at its start took half a second
 * of processor time, for routes of which most wait long for a request.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<TSchema> {
  return ({ schema }) => {
    let serialize: ((value: unknown) => string) | undefined;
    return (value: unknown) => {
      serialize ??= fastJsonStringify(schema);
      return serialize(value);
    };
  };
}
