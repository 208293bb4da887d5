import { errorResponses } from '@atrium/contracts/errors';
import type { EventEnvelope } from '@atrium/contracts/events';
import { IdParams, newId } from '@atrium/contracts/ids';
import { QueuedDelivery } from '@atrium/contracts/webhooks/deliveries';
import { TestEventBody } from '@atrium/contracts/webhooks/webhooks';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import type { Server } from '@atrium/service-kit/server';
import type { Database, Idempotency } from '../database.ts';
import type { PublishChanges } from '../live/change-publisher.ts';
import type { WakeWorkers } from '../scheduling/wake.ts';
import { findInCatalogue } from './catalogue.ts';
import { storeTestEvent } from './test-event-store.ts';

/** Each one is a request to a URL of the caller's choice. */
const TEST_RULE = { name: 'webhooks-test', limit: 30, windowSeconds: 60 };
/** Each is kept as long as any other delivery. */
const TESTS_A_DAY = { name: 'webhooks-tests-a-day', limit: 1_000, windowSeconds: 86_400 };

export interface TestEventRoutesDeps {
  database: Database;
  idempotency: Idempotency;
  authenticator: Authenticator;
  /** The body that every attempt for this event sends. */
  bodyOf: (event: EventEnvelope) => string;
  wakeWorkers: WakeWorkers;
  publishChanges: PublishChanges;
  rateLimiter: RateLimiter;
  clockMs: () => number;
}

export async function testEventRoutes(server: Server, deps: TestEventRoutesDeps): Promise<void> {
  const { database, idempotency, authenticator, rateLimiter, bodyOf, clockMs } = deps;
  const { wakeWorkers, publishChanges } = deps;
  requireAccessToken(server, authenticator);
  idempotency.acceptKeys(server);

  server.post(
    '/api/webhooks/:id/test',
    {
      config: { rateLimit: TEST_RULE, isIdempotent: true, portal: 'webhook' },
      schema: {
        tags: ['Webhooks'],
        operationId: 'sendTestEvent',
        summary: 'Send a test event with example data to one subscription',
        description:
          'It is delivered, signed and retried like any other, also to a subscription that does ' +
          'not ask for its kind or whose filter it does not match. It is sent at once, past what waits and to an endpoint that is given a rest.',
        params: IdParams,
        body: TestEventBody,
        response: {
          202: QueuedDelivery,
          ...errorResponses(401, 404, 422, 'webhook-disabled', 'event-type-unknown'),
        },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request).id;
      await rateLimiter.consume(TESTS_A_DAY, accountId);
      const { event: name } = request.body;
      const type = await findInCatalogue(database, { name, accountId });
      if (type === undefined) throw new HttpError('event-type-unknown');
      const nowMs = clockMs();
      const event: EventEnvelope = {
        id: newId('evt', nowMs),
        event: name,
        accountId,
        createdAt: new Date(nowMs).toISOString(),
        data: type.example,
        requestId: request.id,
      };
      const { id } = request.params;
      const queued = await idempotency.create(request, reply, async (tx) => {
        const result = await storeTestEvent(tx, id, event, bodyOf(event));
        if (result.kind === 'missing') throw notFound('Webhook');
        if (result.kind === 'disabled') throw new HttpError('webhook-disabled');
        return { status: 202, body: { deliveryId: result.deliveryId } };
      });
      publishChanges(accountId, [queued.deliveryId]);
      await wakeWorkers([id, queued.deliveryId]);
      return queued;
    },
  );
}
