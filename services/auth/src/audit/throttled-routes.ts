import type { Sql } from '@atrium/service-kit/database';
import type { RateLimiter, RateLimitRule } from '@atrium/service-kit/rate-limit';
import { networkOf } from '@atrium/service-kit/rate-limit-address';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest } from 'fastify';
import { isWithinLimit } from '../attempt-limiter.ts';
import { originOf } from './origin.ts';
import type { RecordAudit } from './record.ts';
import { findAccountByEmail } from './store.ts';

/** Somebody who is refused goes on asking: one event a minute tells enough. */
const ONCE_A_MINUTE: RateLimitRule = { name: 'throttled-event', limit: 1, windowSeconds: 60 };

/**
 * Adds refusals by a rate limit to the audit trail. It happens after the answer has gone, so the
 * clock does not tell whether the address that was tried has an account.
 */
export function auditThrottling(
  server: Server,
  deps: {
    database: Sql;
    rateLimiter: RateLimiter;
    recordAudit: RecordAudit;
    clockMs: () => number;
  },
): void {
  const { database, rateLimiter, recordAudit, clockMs } = deps;

  async function record(request: FastifyRequest): Promise<void> {
    const route = request.routeOptions.url ?? 'unknown';
    const email = emailIn(request.body);
    if (
      !(await isWithinLimit(rateLimiter, ONCE_A_MINUTE, `${route} ${networkOf(request.ip) ?? ''}`))
    ) {
      return;
    }
    const account = request.account?.id ?? (email && (await findAccountByEmail(database, email)));
    await recordAudit(database, {
      kind: 'throttled',
      accountId: account ?? null,
      sessionId: request.account?.sessionId,
      origin: originOf(request),
      data: { route },
      nowMs: clockMs(),
    });
  }

  server.addHook('onResponse', async (request, reply) => {
    if (reply.statusCode === 429) {
      await record(request).catch((error: unknown) => {
        request.log.warn({ err: error }, 'a refusal could not be recorded');
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
