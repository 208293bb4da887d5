import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  type DefaultLimits,
  type RateLimiter,
  rateLimitHeaders,
  type RateLimitRule,
  type RateLimitState,
} from '../rate-limit/rate-limit.ts';
import type { Server } from './server.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Replaces the default limit of the route; counted by each process alone, as that one is. */
    defaultLimit?: RateLimitRule;
    /** A further limit, shared by all processes, on requests that are valid. */
    rateLimit?: RateLimitRule;
  }
  interface FastifyRequest {
    /** Whether the default limit has counted it. */
    isCounted: boolean;
  }
}

/** Adds a limit to those that the response names. */
export function addRateLimitHeaders(
  reply: FastifyReply,
  rule: RateLimitRule,
  state: RateLimitState,
): void {
  for (const [name, value] of Object.entries(rateLimitHeaders(rule, state))) {
    const others = reply.getHeader(name);
    void reply.header(name, others === undefined ? value : `${String(others)}, ${value}`);
  }
}

/** What a request counts against: its account or, without one, its IP address. */
const keyOf = (request: FastifyRequest) => request.account?.id ?? request.ip;

function defaultLimitOf(request: FastifyRequest, defaults: DefaultLimits): RateLimitRule {
  const { defaultLimit } = request.routeOptions.config;
  return defaultLimit ?? (request.account ? defaults.account : defaults.ip);
}

/** Counts a request under the default limit, once. Returns the error 429 when that is exceeded. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => unknown;

export function createRequestCounter(rateLimiter: RateLimiter | undefined): CountRequest {
  const defaults = rateLimiter?.defaults;
  if (rateLimiter === undefined || defaults === undefined) return () => undefined;
  return (request, reply) => {
    if (request.isCounted) return undefined;
    request.isCounted = true;
    const rule = defaultLimitOf(request, defaults);
    try {
      addRateLimitHeaders(reply, rule, rateLimiter.consumeLocally(rule, keyOf(request)));
    } catch (error) {
      return error;
    }
    return undefined;
  };
}

/**
 * Counts every request before its body is read, and those of routes with a `rateLimit` again before
 * their handler.
 */
export function limitRequests(
  server: Server,
  countRequest: CountRequest,
  rateLimiter: RateLimiter | undefined,
): void {
  server.decorateRequest('isCounted', false);
  // After every onRequest hook: by then the account is known.
  server.addHook('preParsing', (request, reply, _payload, done) => {
    const error = countRequest(request, reply);
    done(error instanceof Error ? error : undefined);
  });
  if (rateLimiter?.defaults === undefined) return;
  server.addHook('onRoute', (route) => {
    const rule = route.config?.rateLimit;
    if (rule === undefined) return;
    route.preHandler = [
      ...[route.preHandler ?? []].flat(),
      async (request, reply) => {
        addRateLimitHeaders(reply, rule, await rateLimiter.consume(rule, keyOf(request)));
      },
    ];
  });
}
