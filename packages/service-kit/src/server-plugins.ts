import cors from '@fastify/cors';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import helmet from 'helmet';
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

/**
 * Made once: the headers are the same for every response. (@fastify/helmet makes it anew for each
 * request, which was a twentieth of the time that a small one takes.)
 */
const setSecurityHeaders = helmet({
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

/** CORS, security headers, the OpenAPI document and its reference page. */
export async function registerPlugins(
  server: Server,
  options: { service: string; corsOrigins: string[] },
): Promise<void> {
  server.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request.raw, reply.raw, () => done());
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
