import type {
  FastifyDynamicSwaggerOptions,
  SwaggerTransform,
  SwaggerTransformObject,
} from '@fastify/swagger';
import { ERRORS } from '@atrium/contracts/errors';
import type { FastifySchema } from 'fastify';
import type { Authenticator } from './authentication.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A request without a body is then one with an empty object. */
    isBodyOptional?: boolean;
  }
}

/** By what, beside the access token, a service knows who calls: the scheme's name and its place. */
export type Secrets = Record<string, { in: 'header' | 'cookie'; name: string }>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** Told to the transform of the whole document, and not to its readers. */
const OPTIONAL_BODY = 'x-optional-body';
const RETRY_AFTER = { 'retry-after': { type: 'integer', description: 'Seconds to wait' } };

/** "Forbidden or Email Not Verified": what `error` says with a status. */
function errorNames(status: number): string {
  const names = Object.entries(ERRORS).filter(([, each]) => each === status);
  return names.map(([name]) => name).join(' or ');
}

/** Faults that the server itself answers are added, and what comes with each. */
function documentedResponses({ response, body }: FastifySchema): Record<string, unknown> {
  const declared: Record<string, object> = Object.assign({}, response);
  const badRequest = declared['400'];
  const faults =
    badRequest === undefined || body === undefined ? {} : { 413: badRequest, 415: badRequest };
  return Object.fromEntries(
    Object.entries<object>({ ...faults, ...declared }).map(([status, schema]) => {
      const description = errorNames(Number(status));
      if (description === '') return [status, schema];
      const headers = status === '429' || status === '503' ? { headers: RETRY_AFTER } : {};
      return [status, { ...schema, description, ...headers }];
    }),
  );
}

const transform: SwaggerTransform = ({ schema, url, route }) => {
  if (schema?.hide === true || schema?.response === undefined) return { schema, url };
  const documented = {
    ...schema,
    ...(route.config?.isBodyOptional === true ? { [OPTIONAL_BODY]: true } : {}),
    response: documentedResponses(schema),
  };
  return { schema: documented, url };
};

const transformObject: SwaggerTransformObject = (document) => {
  if (!('openapiObject' in document)) return document.swaggerObject;
  const { openapiObject } = document;
  for (const item of Object.values(openapiObject.paths ?? {})) {
    for (const method of METHODS) {
      const operation: Record<string, unknown> & { requestBody?: object } = { ...item?.[method] };
      if (item === undefined || operation[OPTIONAL_BODY] !== true) continue;
      delete operation[OPTIONAL_BODY];
      Object.assign(item, {
        [method]: { ...operation, requestBody: { ...operation.requestBody, required: false } },
      });
    }
  }
  return openapiObject;
};

/** How @fastify/swagger makes the document out of the routes' schemas. */
export function documentOptions(service: string, secrets: Secrets): FastifyDynamicSwaggerOptions {
  const schemes = Object.entries(secrets).map(
    ([scheme, place]) => [scheme, { type: 'apiKey', ...place }] as const,
  );
  return {
    openapi: {
      openapi: '3.1.0',
      info: { title: `Atrium ${service}`, version: '1' },
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

/** Makes routes do what their `config` says; to be called before any is added. */
export function applyRouteConfig(server: Server): void {
  server.addHook('onRoute', (route) => {
    if (route.config?.isBodyOptional !== true) return;
    route.preValidation = [
      (request, _reply, done) => {
        request.body ??= {};
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}

/** Every route that `server` gets from here on needs an access token, and its document says so. */
export function requireAccessToken(server: Server, { authenticate }: Authenticator): void {
  server.addHook('onRequest', authenticate);
  server.addHook('onRoute', ({ schema }) => {
    if (schema !== undefined) schema.security ??= [{ bearer: [] }];
  });
}
