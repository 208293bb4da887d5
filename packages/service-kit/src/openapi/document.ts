import type {
  FastifyDynamicSwaggerOptions,
  SwaggerTransform,
  SwaggerTransformObject,
} from '@fastify/swagger';
import type { FastifySchema } from 'fastify';
import Type from 'typebox';
import { type Components, moveToComponents } from './components.ts';
import { documentedResponses, sharedName } from './responses.ts';

/** Ways to authenticate besides the access token: where each security scheme has its secret. */
export type Secrets = Record<string, { in: 'header' | 'cookie'; name: string }>;

/** Passed from the transform of a route to the transform of the whole document. */
const OPTIONAL_BODY = 'x-optional-body';

interface Media {
  schema?: unknown;
  example?: unknown;
  /** For a schema with several examples. */
  examples?: Record<string, { value: unknown }>;
}
interface Content {
  content?: Record<string, Media>;
  headers?: Record<string, { schema?: unknown }>;
}
interface Operation extends Record<string, unknown> {
  parameters?: { schema?: unknown }[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content | { $ref: string }>;
}
interface OpenApiDocument extends Record<string, unknown> {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, unknown>;
}

/** A parameter with a default may be left out. */
function withOptionalDefaults(query: unknown): unknown {
  if (!Type.IsObject(query)) return query;
  const isRequired = (name: string) => !('default' in (query.properties[name] ?? {}));
  return { ...query, required: (query.required ?? []).filter(isRequired) };
}

/** Adds the required scope, which documentation viewers do not show. */
function descriptionOf({ description, security = [] }: FastifySchema): { description?: string } {
  const scopes = security.flatMap(({ bearer = [] }) => bearer);
  const needed = scopes.map((scope) => `Scope: \`${scope}\``);
  const parts = [description, ...needed].filter((part) => part !== undefined);
  return parts.length === 0 ? {} : { description: parts.join('\n\n') };
}

const transform: SwaggerTransform = ({ schema, url, route }) => {
  if (schema?.hide === true || schema?.response === undefined) return { schema, url };
  const documented = {
    ...schema,
    ...descriptionOf(schema),
    security: schema.security ?? [],
    ...(route.config?.isBodyOptional === true ? { [OPTIONAL_BODY]: true } : {}),
    ...(schema.querystring === undefined
      ? {}
      : { querystring: withOptionalDefaults(schema.querystring) }),
    response: documentedResponses(schema, route.method),
  };
  return { schema: documented, url };
};

/** Replaces what operations have in common by references to components. */
const transformObject: SwaggerTransformObject = (given) => {
  if (!('openapiObject' in given)) return given.swaggerObject;
  const document = given.openapiObject as unknown as OpenApiDocument;
  const schemas: Components = {};
  const responses: Record<string, Content> = {};
  const shareSchemas = ({ content = {} }: Content) => {
    for (const media of Object.values(content)) {
      const all = Object.values(media.examples ?? {}).map(({ value }) => value);
      if (media.example !== undefined) all.push(media.example);
      const examples = all.length === 0 ? {} : { examples: all };
      media.schema = moveToComponents({ ...Object(media.schema), ...examples }, schemas);
    }
  };
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      parameter.schema = moveToComponents(parameter.schema, schemas);
    }
    if (operation.requestBody !== undefined) {
      operation.requestBody.required = operation[OPTIONAL_BODY] !== true;
      shareSchemas(operation.requestBody);
    }
    delete operation[OPTIONAL_BODY];
    for (const [status, response] of Object.entries(operation.responses)) {
      if ('$ref' in response) continue;
      shareSchemas(response);
      const name = sharedName(response);
      if (name === undefined) continue;
      responses[name] = response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  document.components = { ...document.components, schemas, responses };
  return given.openapiObject;
};

const INTRODUCTION = `Paths are relative to the address of this service.

Requests that need it carry \`Authorization: Bearer …\` with the access token of a login or of an application, or a \
personal access token. An operation says which scope such tokens need.

An operation that takes \`Idempotency-Key\` does its work once for a key, however often the request is sent.

Errors are JSON with \`error\` and \`message\`, for people; programs read the header \`Error-Code\`. After 429 and 503, \
\`Retry-After\`, where it is given, says how many seconds to wait.`;

/** How @fastify/swagger makes the document from the routes' schemas. */
export function documentOptions(service: string, secrets: Secrets): FastifyDynamicSwaggerOptions {
  const schemes = Object.entries(secrets).map(
    ([scheme, place]) => [scheme, { type: 'apiKey', ...place }] as const,
  );
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: `Atrium ${service}`,
        version: '1',
        description: INTRODUCTION,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      // Relative to the document: the service that gave it.
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
          ...Object.fromEntries(schemes),
        },
      },
    },
    transform,
    transformObject,
  };
}
