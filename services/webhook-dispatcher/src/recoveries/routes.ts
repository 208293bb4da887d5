import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import {
  MAX_ATTEMPTS_IN_ALL,
  MAX_DELIVERY_ATTEMPTS,
  QueuedDelivery,
} from '@atrium/contracts/webhooks/deliveries';
import { RecoverBody, Recovery, RecoveryParams } from '@atrium/contracts/webhooks/recoveries';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound, validationError } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { Idempotency } from '../database.ts';
import type { PublishChanges } from '../live/change-publisher.ts';
import type { WakeWorkers } from '../scheduling/wake.ts';
import { redeliver } from './redelivery-store.ts';
import type { RequestRecoveries } from './recoveries.ts';
import type { RecoveryStore } from './store.ts';

export interface RecoveryRoutesDeps {
  recoveries: RecoveryStore;
  idempotency: Idempotency;
  authenticator: Authenticator;
  wakeWorkers: WakeWorkers;
  publishChanges: PublishChanges;
  requestRecoveries: RequestRecoveries;
  clockMs: () => number;
}

/** Each one is a request to a URL of the caller's choice. */
const REDELIVER_RULE = { name: 'webhooks-redeliver', limit: 60, windowSeconds: 60 };
/** Each one may send the whole history of a subscription again. */
const RECOVER_RULE = { name: 'webhooks-recover', limit: 30, windowSeconds: 60 };

const tags = ['Recoveries'];
const rejections = {
  noDelivery: () => notFound('Delivery'),
  noWebhook: () => notFound('Webhook'),
  noBody: () => new HttpError('delivery-without-body'),
  disabled: () => new HttpError('webhook-disabled'),
  waiting: () => new HttpError('delivery-waiting'),
  spent: () =>
    new HttpError('delivery-spent', `Delivery has had its ${MAX_ATTEMPTS_IN_ALL} attempts`),
  running: () => new HttpError('recovery-running'),
};

/** Sending again what was sent before. */
export async function recoveryRoutes(server: Server, deps: RecoveryRoutesDeps): Promise<void> {
  const { recoveries, idempotency, wakeWorkers, publishChanges } = deps;
  const { requestRecoveries, clockMs } = deps;
  requireAccessToken(server, deps.authenticator);
  idempotency.acceptKeys(server);

  server.post(
    '/api/deliveries/:id/redeliver',
    {
      config: { rateLimit: REDELIVER_RULE, isIdempotent: true, portal: 'delivery' },
      schema: {
        tags,
        operationId: 'redeliverDelivery',
        summary: 'Send a delivery again now',
        description:
          `It gets up to ${MAX_DELIVERY_ATTEMPTS} more attempts, with the same id and body, and ` +
          `${MAX_ATTEMPTS_IN_ALL} in all. The first is made at once, past what waits and to an ` +
          'endpoint that is given a rest. 409 while it is due or being attempted.',
        params: IdParams,
        response: {
          202: QueuedDelivery,
          ...errorResponses(
            401,
            404,
            'webhook-disabled',
            'delivery-waiting',
            'delivery-without-body',
            'delivery-spent',
          ),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      // The delivery, which is sent whatever is due before it, and its endpoint.
      const woken = [id];
      const queued = await idempotency.create(request, reply, async (tx) => {
        const result = await redeliver(tx, id, accountId);
        if (result.kind !== 'queued') throw rejections[result.kind]();
        woken.push(result.subscriptionId);
        return { status: 202, body: { deliveryId: id } };
      });
      publishChanges(accountId, [id]);
      await wakeWorkers(woken);
      return queued;
    },
  );

  server.post(
    '/api/webhooks/:id/recover',
    {
      config: { rateLimit: RECOVER_RULE, isIdempotent: true },
      schema: {
        tags,
        operationId: 'startRecovery',
        summary: 'Send all deliveries again that were exhausted since a time',
        description:
          'Carried out in the background, in order, each delivery with a whole new budget of ' +
          'attempts. One recovery of a subscription runs at a time.',
        params: IdParams,
        body: RecoverBody,
        response: {
          202: Recovery,
          ...errorResponses(401, 404, 422, 'webhook-disabled', 'recovery-running'),
        },
      },
    },
    async (request, reply) => {
      const now = new Date(clockMs());
      const accountId = accountOf(request).id;
      const since = new Date(request.body.since);
      // Also what Date cannot read, such as a leap second.
      if (!(since <= now)) throw validationError('Since must not be in the future');
      if (since.getTime() < 0) throw validationError('Since must not be before 1970');
      const { id } = request.params;
      const recovery = await idempotency.create(request, reply, async (tx) => {
        const result = await recoveries.start(tx, id, accountId, since, now);
        if (result.kind !== 'started') throw rejections[result.kind]();
        return { status: 202, body: result.recovery };
      });
      await requestRecoveries();
      return recovery;
    },
  );

  server.get(
    '/api/webhooks/:id/recoveries',
    {
      schema: {
        tags,
        operationId: 'listRecoveries',
        summary: 'List the recoveries of a subscription, newest first',
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Recovery), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const accountId = accountOf(request).id;
      const page = await recoveries.list(request.params.id, accountId, request.query);
      if (page === undefined) throw notFound('Webhook');
      return page;
    },
  );

  server.get(
    '/api/webhooks/:id/recoveries/:recoveryId',
    {
      config: { tellsOfChanges: true },
      schema: {
        tags,
        operationId: 'getRecovery',
        summary: 'Get a recovery and its progress',
        params: RecoveryParams,
        response: { 200: Recovery, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const { id, recoveryId } = request.params;
      const recovery = await recoveries.find(recoveryId, id, accountOf(request).id);
      if (recovery === undefined) throw notFound('Recovery');
      return recovery;
    },
  );
}
