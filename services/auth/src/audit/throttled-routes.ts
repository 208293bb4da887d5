import type { Sql } from '@atrium/service-kit/database';
import type { RateLimiter, RateLimitRule } from '@atrium/service-kit/rate-limit';
import { networkOf } from '@atrium/service-kit/rate-limit/address';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest } from 'fastify';
import { isWithinLimit } from '../attempt-limiter.ts';
import { originOf } from './origin.ts';
import type { AuditLog } from './record.ts';

/** A refused client often keeps trying: one event a minute is enough. */
const ONCE_A_MINUTE: RateLimitRule = { name: 'throttled-event', limit: 1, windowSeconds: 60 };

/**
 * Adds requests that a rate limit refused to the audit trail. This happens after the response, so its
 * duration does not tell whether the email address has an account.
 */
export function auditThrottling(
  server: Server,
  deps: {
    database: Sql;
    rateLimiter: RateLimiter;
    audit: AuditLog;
    findAccountId: (email: string) => Promise<string | undefined>;
  },
): void {
  const { database, rateLimiter, audit, findAccountId } = deps;

  async function record(request: FastifyRequest): Promise<void> {
    const route = request.routeOptions.url ?? 'unknown';
    const email = emailIn(request.body);
    if (
      !(await isWithinLimit(rateLimiter, ONCE_A_MINUTE, `${route} ${networkOf(request.ip) ?? ''}`))
    ) {
      return;
    }
    const account = request.account?.id ?? (email && (await findAccountId(email)));
    await audit.record(database, {
      kind: 'throttled',
      accountId: account ?? null,
      sessionId: request.account?.sessionId,
      origin: originOf(request),
      data: { route },
    });
  }

  server.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode === 429) {
      await record(request).catch((error: unknown) => {
        request.log.warn({ err: error }, 'throttled request could not be recorded');
      });
    }
  });
}

function emailIn(body: unknown): string | undefined {
  return typeof body === 'object' &&
    body !== null &&
    'email' in body &&
    typeof body.email === 'string'
    ? body.email
    : undefined;
}
