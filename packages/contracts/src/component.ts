import type { Static, TSchema } from 'typebox';
import type { IdPrefix } from './ids.ts';

/** Gives a schema the name and the examples that it has as a component of the OpenAPI documents. */
export function component<Schema extends TSchema>(
  title: string,
  schema: Schema,
  ...examples: [Static<Schema>, ...Static<Schema>[]]
): Schema {
  return Object.assign(schema, { title, examples });
}

/** An id for examples. */
export function exampleId(prefix: IdPrefix): string {
  return `${prefix}_01ky3m8q4vf0tb6w2c9hj5rxna`;
}
