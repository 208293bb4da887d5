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
import { healthRoutes, shuttingDown, type ReadyChecks } from './health.ts';
import { badRequest, notFound } from './http-error.ts';
import type { Logger } from './logger.ts';
import { httpDuration, type Metrics } from './metrics.ts';
import { answerSpecialRequests, handleClientError } from './raw-response.ts';
import { applyRouteConfig, type Secrets } from './openapi.ts';
import { sendError, sendFrameworkError } from './server-errors.ts';
import { registerPlugins } from './server-plugins.ts';
import { requestFault } from './validation-message.ts';
import { assertStorable, createValidatorCompiler } from './validation.ts';

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

const BODY_LIMIT_BYTES = 1024 * 1024;
/** Longer than any identifier or token in a path. */
const PARAM_LENGTH_MAX = 256;
/** How long a request may take to arrive as a whole. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Longer than the idle timeout of common load balancers (60 s), which then close first. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;

const draining = new WeakSet<object>();

/** A request id that a caller may choose: it goes into logs and headers. */
const REQUEST_ID = /^[\w.:-]{1,100}$/;

function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

export interface ServerOptions {
  /** Names the service in its OpenAPI document. */
  service: string;
  logger: Logger;
  /** Whose `X-Forwarded-For` is believed: true for the one proxy in front, or proxies' networks. */
  trustProxy: boolean | string;
  /** Exact origins that browsers may call from, with credentials. */
  corsOrigins: string[];
  ready: ReadyChecks;
  /** For the OpenAPI document: security schemes by name, with where the secret is carried. */
  secrets?: Secrets;
  /** Where request durations are counted; without it they are not. */
  metrics?: Metrics;
  /** 1 MiB unless told. */
  bodyLimitBytes?: number;
  clockMs?: () => number;
}

/**
 * An HTTP server with everything that the services share. Whatever way a request fails, the answer is
 * `{ error, message }`; every answer carries `x-request-id`.
 */
export async function createServer(options: ServerOptions): Promise<Server> {
  const server: Server = fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({
      // The one line per request is written below: the URL can hold a secret, the route cannot.
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    // Fastify's `true` trusts whatever the client wrote; ours trusts what the nearest proxy appended.
    trustProxy: options.trustProxy === true ? (_address, hop) => hop === 0 : options.trustProxy,
    bodyLimit: options.bodyLimitBytes ?? BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    // Fastify's own answer while closing has another shape; the hook below gives it instead.
    return503OnClosing: false,
    // Node's own answer to a missing Host has no body; the hook below refuses it.
    http: { requireHostHeader: false },
    genReqId: requestId,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX },
    schemaErrorFormatter: requestFault,
    frameworkErrors: sendFrameworkError,
    clientErrorHandler: handleClientError,
  }).withTypeProvider<TypeBoxTypeProvider>();

  server.decorateRequest('account', null);
  server.setValidatorCompiler(createValidatorCompiler());
  server.setErrorHandler((error, request, reply) => sendError(request, reply, error));
  server.setNotFoundHandler((request, reply) => sendError(request, reply, notFound('Page')));
  parseJsonOnly(server);
  answerSpecialRequests(server.server);
  addRequestHooks(server, options.metrics);
  await registerPlugins(server, {
    service: options.service,
    corsOrigins: options.corsOrigins,
    secrets: options.secrets ?? {},
  });
  applyRouteConfig(server);
  refuseEarly(server);
  healthRoutes(server, options.ready, () => draining.has(server));
  return server;
}

/** From now on `/readyz` and every new request answer 503; what runs is finished. */
export function beginShutdown(server: Server): void {
  draining.add(server);
}

/** JSON and nothing else; an empty body is no body, whatever its content type says. */
function parseJsonOnly(server: Server): void {
  const parse = server.getDefaultJsonParser('error', 'error');
  server.removeAllContentTypeParsers();
  server.addContentTypeParser<string>(
    'application/json',
    { parseAs: 'string' },
    (request, body, done) => {
      if (body === '') {
        done(null, undefined);
        return;
      }
      void parse(request, body, done);
    },
  );
}

function addRequestHooks(server: Server, metrics: Metrics | undefined): void {
  const duration = metrics === undefined ? undefined : httpDuration(metrics);
  server.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    done();
  });
  server.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const route = request.is404 ? 'none' : (request.routeOptions.url ?? 'none');
    const { statusCode: status, elapsedTime: durationMs } = reply;
    duration?.observe({ method, route, status: String(status) }, durationMs / 1000);
    request.log.info({ method, route, status, durationMs: Math.round(durationMs) }, 'request');
    done();
  });
}

/** Refusals that come before the body is read. They run after CORS, so that browsers can read them. */
function refuseEarly(server: Server): void {
  server.addHook('onRequest', (request, _reply, done) => {
    if (draining.has(server) && request.url !== '/livez') {
      done(shuttingDown());
    } else if (request.headers.host === undefined && request.raw.httpVersion === '1.1') {
      done(badRequest('Host header is required'));
    } else {
      // A body sent to nowhere is not worth parsing.
      done(request.is404 ? notFound('Page') : undefined);
    }
  });
  server.addHook('preHandler', (request, _reply, done) => {
    assertStorable(request);
    done();
  });
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (draining.has(server)) {
      // Otherwise a connection that was busy when the server closed stays open, idle.
      void reply.header('connection', 'close');
    }
    done(null, payload);
  });
}
