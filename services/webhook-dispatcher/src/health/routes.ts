import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { QueuedDelivery } from '@atrium/contracts/webhooks/deliveries';
import { type WebhookHealth, WebhooksHealth } from '@atrium/contracts/webhooks/health';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import type { Rest, RestingEndpoints } from '../endpoints/resting-endpoints.ts';
import type { WakeWorkers } from '../scheduling/wake.ts';
import { ownerOf } from '../subscriptions/owner.ts';
import { type HealthRow, makeDueNow, readHealth } from './store.ts';

/** The pages ask every few seconds. */
const READ_RULE = { name: 'webhooks-health', limit: 120, windowSeconds: 60 };
/** Each is a request to an endpoint that is given a rest. */
const TRY_RULE = { name: 'webhooks-try-now', limit: 30, windowSeconds: 60 };

export interface HealthRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  restingEndpoints: Pick<RestingEndpoints, 'read'>;
  wakeWorkers: WakeWorkers;
}

const tags = ['Webhooks'];

export async function healthRoutes(server: Server, deps: HealthRoutesDeps): Promise<void> {
  const { database, restingEndpoints, wakeWorkers } = deps;
  requireAccessToken(server, deps.authenticator);

  server.get(
    '/api/webhooks/health',
    {
      config: { rateLimit: READ_RULE, portal: 'list' },
      schema: {
        tags,
        operationId: 'getWebhooksHealth',
        summary: 'Get how the endpoints of all subscriptions do at the moment',
        response: { 200: WebhooksHealth, ...errorResponses(401) },
      },
    },
    async (request) => {
      const rows = await readHealth(database, ownerOf(request));
      const rests = await restingEndpoints.read(rows.map(({ id }) => id));
      return { data: rows.map((row) => represent(row, rests.get(row.id))) };
    },
  );

  server.post(
    '/api/webhooks/:id/try-now',
    {
      config: { rateLimit: TRY_RULE, portal: 'webhook' },
      schema: {
        tags,
        operationId: 'tryWebhookNow',
        summary: 'Send what waits for another attempt now',
        description:
          'The oldest delivery is sent at once, also to an endpoint that is given a rest; its success ends the ' +
          'rest, and the others follow.',
        params: IdParams,
        response: {
          200: QueuedDelivery,
          ...errorResponses(401, 404, 'webhook-disabled', 'webhook-paused', 'nothing-waiting'),
        },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      const result = await database.transaction({ requestId: request.id }, (tx) =>
        makeDueNow(tx, id, accountId),
      );
      switch (result.kind) {
        case 'missing':
          throw notFound('Webhook');
        case 'disabled':
          throw new HttpError('webhook-disabled');
        case 'paused':
          throw new HttpError('webhook-paused');
        case 'nothing':
          throw new HttpError('nothing-waiting');
        case 'due':
          await wakeWorkers([id, result.deliveryId]);
          return { deliveryId: result.deliveryId };
      }
    },
  );
}

function represent(row: HealthRow, rest: Rest | undefined): WebhookHealth {
  const { id, waiting, status, error, attemptedAt } = row;
  return {
    id,
    waiting,
    rest:
      rest === undefined
        ? null
        : { failures: rest.failures, until: new Date(rest.untilMs).toISOString() },
    lastAttempt: attemptedAt === null ? null : { status, error, at: attemptedAt.toISOString() },
  };
}
