import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { Server } from './server.ts';

/** What scripts of another origin may read besides the body. */
const EXPOSED_HEADERS = [
  'x-request-id',
  'etag',
  'location',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
];
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** CORS, security headers, the OpenAPI document and its reference page. */
export async function registerPlugins(
  server: Server,
  options: { service: string; corsOrigins: string[] },
): Promise<void> {
  await server.register(helmet, {
    // Nothing that we answer is a page that loads things, but for /docs, which has its own policy.
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
    crossOriginResourcePolicy: { policy: 'same-site' },
    frameguard: { action: 'deny' },
    // Headers of browsers and plug-ins long gone; every response would carry them.
    dnsPrefetchControl: false,
    ieNoOpen: false,
    originAgentCluster: false,
    permittedCrossDomainPolicies: false,
    xssFilter: false,
  });
  await server.register(cors, {
    origin: options.corsOrigins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    // Its refusal of an incomplete preflight is plain text; such a request is simply not one.
    strictPreflight: false,
  });
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: `Atrium ${options.service}`, version: '1' },
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        },
      },
    },
  });
  await server.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  server.get('/openapi.json', { schema: { hide: true } }, () => server.swagger());
}
