import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify';
// Declares `request.account`.
import type {} from '../authentication/authentication.ts';
import { reportChanges } from './changes.ts';
import { isDraining } from './draining.ts';
import { healthRoutes, type ReadyChecks } from './health.ts';
import { badRequest, notFound } from '../http-error.ts';
import type { Logger } from '../logger.ts';
import { httpDuration, type Metrics } from '../metrics.ts';
import type { RateLimiter } from '../rate-limit/rate-limit.ts';
import { recordRequest, runTraced, tracedLogger } from './traced-requests.ts';
import type { ProcessTracing } from '../tracing/tracing.ts';
import { answerSpecialRequests, handleClientError, headerFault } from './raw-response.ts';
import type { Secrets } from '../openapi/document.ts';
import { createRequestCounter, limitRequests } from './request-limits.ts';
import { sendError, sendFrameworkError } from './errors.ts';
import { registerPlugins } from './plugins.ts';
import { limitInFlight } from './in-flight.ts';
import type { InFlightLimits } from './in-flight-limits.ts';
import { JoinedChunksMessage } from './joined-chunks.ts';
import { endLateBodies } from './late-bodies.ts';
import { assertFewValues } from './request-body.ts';
import { BODY_LIMIT_BYTES, boundRequests } from './request-bounds.ts';
import { closeSilentConnections } from './silent-connections.ts';
import { createSerializerCompiler } from './serialization.ts';
import { requestFault } from './validation-message.ts';
import { assertStorable, createValidatorCompiler } from './validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A request without a body then counts as one with an empty object. */
    isBodyOptional?: boolean;
  }
  interface FastifyRequest {
    /** What was received as JSON. */
    bodyBytes: number;
  }
}

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Longer than every identifier and token in a path. */
const PARAM_LENGTH_MAX = 256;
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle timeout of common load balancers (60 s), which then close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** Browsers and proxies send some thirty; a thousand short ones take ten times their bytes. */
const HEADERS_MAX = 100;
/** Node warns when one response has more. */
const LISTENERS_MAX = 20;

/** The form of a request id from the caller, which goes into logs and headers. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

export interface ServerOptions {
  /** Names the service in its OpenAPI document. */
  service: string;
  logger: Logger;
  /** Whose `X-Forwarded-For` is trusted: true for the one proxy in front, or proxies' networks. */
  trustProxy: boolean | string;
  /** Origins that browsers may call from, with credentials. */
  corsOrigins: string[];
  ready: ReadyChecks;
  /** Without one nothing is limited: for files, and for servers that only operators reach. */
  rateLimiter?: RateLimiter;
  /** Security schemes of the OpenAPI document, beside the access token. */
  secrets?: Secrets;
  /** Serves the OpenAPI document and `/docs`; true unless given. */
  apiReference?: boolean;
  /** For request durations. */
  metrics?: Metrics | undefined;
  /** Undefined unless the process traces. */
  tracing?: ProcessTracing | undefined;
  /** Called before a request that may have changed something for its account is answered: see `ReadReplica`. */
  onChange?: ((accountId: string) => Promise<void>) | undefined;
  /** For a request to arrive completely (30000). */
  requestTimeoutMs?: number;
  /** Other limits than those of every service, for tests. */
  inFlight?: Partial<InFlightLimits>;
}

/**
 * An HTTP server with everything that the services share. Every error response is
 * `{ error, message }`, and every response carries `x-request-id`.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const countRequest = createRequestCounter(options.rateLimiter);
  const server: Server = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({
      // The line per request is written below: a URL can hold a secret, a route cannot.
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    ...tracedLogger(options.tracing),
    // Fastify's `true` trusts what the client wrote; ours trusts what the nearest proxy appended.
    trustProxy: options.trustProxy === true ? (_address, hop) => hop === 0 : options.trustProxy,
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Fastify's own response while closing has another shape; the hook below sends it instead.
    return503OnClosing: false,
    // Node's own response to a missing Host has no body; the hook below sends it instead.
    http: { requireHostHeader: false, IncomingMessage: JoinedChunksMessage },
    genReqId: requestId,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    schemaErrorFormatter: requestFault,
    frameworkErrors: (error, request, reply) =>
      sendFrameworkError(countRequest(request, reply) ?? error, request, reply),
    clientErrorHandler: handleClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();

  server.server.maxHeadersCount = HEADERS_MAX;
  server.decorateRequest('account', null);
  server.setValidatorCompiler(createValidatorCompiler());
  server.setSerializerCompiler(createSerializerCompiler());
  // An error before the request was counted, such as a missing token, counts for its IP address.
  server.setErrorHandler((error, request, reply) =>
    sendError(request, reply, countRequest(request, reply) ?? error),
  );
  server.setNotFoundHandler((request, reply) => sendError(request, reply, notFound('Page')));
  parseJsonOnly(server);
  answerSpecialRequests(server.server);
  endLateBodies(server.server);
  closeSilentConnections(server);
  addRequestHooks(server, options);
  await registerPlugins(server, {
    service: options.service,
    corsOrigins: options.corsOrigins,
    secrets: options.secrets ?? {},
    apiReference: options.apiReference ?? true,
  });
  boundRequests(server);
  acceptOptionalBodies(server);
  limitRequests(server, countRequest, options.rateLimiter);
  limitInFlight(server, { ...options.inFlight, metrics: options.metrics });
  reportChanges(server, options.onChange);
  refuseEarly(server);
  healthRoutes(server, options.ready, () => isDraining(server));
  return server;
}

/** Only JSON is accepted; an empty body is no body, whatever its content type says. */
function parseJsonOnly(server: Server): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.decorateRequest('bodyBytes', 0);
  server.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer' },
    (request, body, done) => {
      request.bodyBytes = body.length;
      if (body.length === 0) {
        done(null, undefined);
      } else if (isUtf8(body)) {
        assertFewValues(body);
        void parse(request, body.toString(), done);
      } else {
        // Decoding would replace what it cannot read (RFC 8259 section 8.1).
        done(badRequest('Request body is not valid UTF-8'));
      }
    },
  );
}

/** Where the body of a route is optional, no body counts as an empty object. */
function acceptOptionalBodies(server: Server): void {
  server.addHook('onRoute', (route) => {
    if (route.config?.isBodyOptional !== true) return;
    route.preValidation = [
      (request, _reply, done) => {
        if (request.body === undefined) request.body = {};
        done();
      },
      ...[route.preValidation ?? []].flat(),
    ];
  });
}

function addRequestHooks(
  server: Server,
  { metrics, tracing }: Pick<ServerOptions, 'metrics' | 'tracing'>,
): void {
  const duration = metrics === undefined ? undefined : httpDuration(metrics);
  server.addHook('onRequest', (request, reply, done) => {
    // Four promises and pipes of Fastify may wait for the end of a stream, with two listeners each.
    reply.raw.setMaxListeners(LISTENERS_MAX);
    void reply.header('x-request-id', request.id);
    done();
  });
  runTraced(server, tracing);
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { statusCode: status, elapsedTime: durationMs } = reply;
    duration?.(
      { method, route, status: String(status) },
      durationMs / 1000,
      request.raw.trace?.context,
    );
    if (tracing !== undefined) recordRequest(tracing, { request, reply, route });
    request.log.info({ method, route, status, durationMs: Math.round(durationMs) }, 'request');
    done();
  });
}

/** Rejections before the body is read. They run after CORS, so that browsers can read them. */
function refuseEarly(server: Server): void {
  server.addHook('onRequest', (request, _reply, done) => {
    // Without parsing the body.
    done(headerFault(request.raw) ?? (request.is404 ? notFound('Page') : undefined));
  });
  server.addHook('preHandler', (request, _reply, done) => {
    assertStorable(request);
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining(server)) {
      // A connection that was busy when the server closed would otherwise stay open, idle.
      void reply.header('connection', 'close');
    }
    done(null, payload);
  });
}
