import { createHash, timingSafeEqual } from 'node:crypto';
import { errorResponses } from '@atrium/contracts/errors';
import { ProcessResponse } from '@atrium/contracts/webhooks/deliveries';
import { HttpError } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import type { WakeWorkers } from './wake.ts';

/** Wrong secrets from one IP address. */
const WRONG_SECRET_RULE = { name: 'webhooks-cron-secret', limit: 30, windowSeconds: 60 };

export interface ProcessRouteDeps {
  cronSecret: string;
  rateLimiter: RateLimiter;
  countDue: () => Promise<number>;
  wakeWorkers: WakeWorkers;
}

export async function processRoute(
  server: Server,
  { cronSecret, rateLimiter, countDue, wakeWorkers }: ProcessRouteDeps,
): Promise<void> {
  server.post(
    '/api/internal/webhooks/process',
    {
      schema: {
        tags: ['Internal'],
        operationId: 'processDueDeliveries',
        summary: 'Send every due delivery now',
        security: [{ cronSecret: [] }],
        response: { 202: ProcessResponse, ...errorResponses('secret-wrong') },
      },
    },
    async (request, reply) => {
      const given = request.headers['x-cron-secret'];
      // Counted first, so that a guess costs an attempt even among many at once.
      await rateLimiter.consume(WRONG_SECRET_RULE, request.ip);
      if (typeof given !== 'string' || !sameSecret(given, cronSecret)) {
        throw new HttpError('secret-wrong', 'X-Cron-Secret is missing or wrong');
      }
      await rateLimiter.refund(WRONG_SECRET_RULE, request.ip);
      const enqueued = await countDue();
      await wakeWorkers();
      return reply.status(202).send({ enqueued });
    },
  );
}

/** In constant time: digests all have one length. */
function sameSecret(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
