import cors from '@fastify/cors';
import jwt, { type FastifyJWTOptions } from '@fastify/jwt';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { TOKEN_AUDIENCE, TOKEN_ISSUER, TOKEN_TYPE } from '@atrium/contracts/auth/tokens';
import { documentOptions, type Secrets } from '../openapi/document.ts';
import { securityHeaders } from './security-headers.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** False: the route answers pages of other origins itself. */
    cors?: false;
  }
}

/** Response headers that scripts of another origin may read. */
const EXPOSED_HEADERS = [
  'error-code',
  'x-request-id',
  'etag',
  'location',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'idempotent-replayed',
];
const PREFLIGHT_MAX_AGE_SECONDS = 600;

const SECURITY_HEADERS = securityHeaders();

/** What every access token must satisfy. The key is chosen for each token by its `kid`. */
const JWT_OPTIONS: FastifyJWTOptions = {
  secret: (_request, _token, done) => done(new Error('A key must be given'), undefined),
  decode: { complete: true },
  verify: {
    // Pinned (RFC 8725 section 3.1).
    algorithms: ['EdDSA'],
    allowedIss: TOKEN_ISSUER,
    allowedAud: TOKEN_AUDIENCE,
    checkTyp: TOKEN_TYPE,
    requiredClaims: ['iss', 'aud', 'sub', 'sid', 'exp'],
    // The authenticator checks it, by its own clock.
    ignoreExpiration: true,
  },
};

/** Token verification, CORS, security headers, the OpenAPI document and its reference page. */
export async function registerPlugins(
  server: Server,
  options: { service: string; corsOrigins: string[]; secrets: Secrets; apiReference: boolean },
): Promise<void> {
  server.addHook('onRequest', (_request, reply, done) => {
    void reply.headers(SECURITY_HEADERS);
    done();
  });
  await server.register(jwt, JWT_OPTIONS);
  await server.register(cors, {
    origin: options.corsOrigins,
    credentials: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    // Strict, it answers an incomplete preflight with plain text instead of our error body.
    strictPreflight: false,
  });
  if (!options.apiReference) return;
  await server.register(swagger, documentOptions(options.service, options.secrets));
  await server.register(swaggerUi, { routePrefix: '/docs', staticCSP: true });
  let text: string | undefined;
  server.get('/openapi.json', { schema: { hide: true } }, (_request, reply) => {
    // Written once: it takes milliseconds, and anybody may ask for it.
    text ??= JSON.stringify(server.swagger());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
