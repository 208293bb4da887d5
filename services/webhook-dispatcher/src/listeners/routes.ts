import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import {
  CreateListenerBody,
  ForwardedBody,
  LeasedDeliveries,
} from '@atrium/contracts/webhooks/listeners';
import { CreatedSubscription } from '@atrium/contracts/webhooks/webhooks';
import {
  accountOf,
  type Authenticator,
  requireVerifiedEmail,
} from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { Idempotency } from '../database.ts';
import type { PublishChanges } from '../live/change-publisher.ts';
import { signersOf } from '../sending/deliver.ts';
import { deliveryHeaders } from '../sending/signature.ts';
import type { AssertPatterns } from '../subscriptions/routes.ts';
import { newSecret, type SubscriptionSecrets } from '../subscriptions/secrets.ts';
import type { SubscriptionStore } from '../subscriptions/store.ts';
import { type ForwardedDeps, recordForwarded } from './record-forwarded.ts';
import type { FetchedDelivery, ListenerStore } from './store.ts';

const CREATE_RULE = { name: 'listeners-create', limit: 60, windowSeconds: 60 };
/** Ten deliveries each. */
const LEASE_RULE = { name: 'listeners-lease', limit: 1_200, windowSeconds: 60 };
const FORWARDED_RULE = { name: 'listeners-forwarded', limit: 6_000, windowSeconds: 60 };

export interface ListenerRoutesDeps extends ForwardedDeps {
  subscriptions: Pick<SubscriptionStore, 'create'>;
  listeners: ListenerStore;
  idempotency: Idempotency;
  secrets: SubscriptionSecrets;
  authenticator: Authenticator;
  assertPatterns: AssertPatterns;
  publishChanges: PublishChanges;
}

const tags = ['Listeners'];

/** Subscriptions whose deliveries a command fetches and forwards, instead of workers sending them. */
export async function listenerRoutes(server: Server, deps: ListenerRoutesDeps): Promise<void> {
  const { subscriptions, listeners, idempotency, clockMs } = deps;
  requireAccessToken(server, deps.authenticator);
  idempotency.acceptKeys(server);

  server.post(
    '/api/listeners',
    {
      config: { rateLimit: CREATE_RULE, isIdempotent: true },
      preHandler: requireVerifiedEmail,
      schema: {
        tags,
        operationId: 'createListener',
        summary: 'Create a subscription that a command listens to; shows its secret once',
        description: 'It counts as a subscription. Unused for seven days, it is deleted.',
        body: CreateListenerBody,
        response: {
          201: CreatedSubscription,
          ...errorResponses(
            401,
            422,
            'email-not-verified',
            'plan-limit-webhooks',
            'event-type-unknown',
          ),
        },
      },
    },
    async (request, reply) => {
      const account = accountOf(request);
      const { forwardTo: url, events } = request.body;
      await deps.assertPatterns(events, account.id);
      const secret = newSecret();
      const body = { url, events, secret, isListener: true };
      return idempotency.create(request, reply, async (tx) => {
        const created = await subscriptions.create(tx, account, body);
        const headers = { 'cache-control': 'no-store' };
        return { status: 201, headers, body: { ...created, secret } };
      });
    },
  );

  server.post(
    '/api/listeners/:id/lease',
    {
      config: { rateLimit: LEASE_RULE },
      schema: {
        tags,
        operationId: 'leaseDeliveries',
        summary: 'Fetch signed deliveries to forward them',
        description:
          'Each is leased to the caller for 30 seconds; report what its receiver answered. The stream ' +
          'of deliveries says when to fetch again.',
        params: IdParams,
        response: { 200: LeasedDeliveries, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const leased = await listeners.lease(request.params.id, accountOf(request).id);
      if (leased === undefined) throw notFound('Listener');
      reply.header('cache-control', 'no-store');
      return {
        deliveries: leased.deliveries.map((delivery) => represent(deps, delivery, clockMs())),
        nextDueAt: leased.nextDueAt?.toISOString() ?? null,
      };
    },
  );

  server.post(
    '/api/deliveries/:id/forwarded',
    {
      config: { rateLimit: FORWARDED_RULE },
      schema: {
        tags,
        operationId: 'reportForwarded',
        summary: 'Report what the receiver of a fetched delivery answered',
        description: '409 when the lease has ended: the delivery is fetched again.',
        params: IdParams,
        body: ForwardedBody,
        response: { 204: Type.Null(), ...errorResponses(401, 422, 'lease-ended') },
      },
    },
    async (request, reply) => {
      const { id: deliveryId } = request.params;
      const { id: accountId } = accountOf(request);
      const isRecorded = await recordForwarded(deps, { ...request.body, deliveryId, accountId });
      if (!isRecorded) throw new HttpError('lease-ended');
      deps.publishChanges(accountId, [deliveryId]);
      return reply.code(204).send(null);
    },
  );
}

function represent(
  { secrets }: Pick<ListenerRoutesDeps, 'secrets'>,
  delivery: FetchedDelivery,
  nowMs: number,
) {
  const { id, leaseId, event, body, attemptCount } = delivery;
  const list = deliveryHeaders(signersOf(secrets, delivery), {
    deliveryId: id,
    event,
    body: Buffer.from(body, 'utf8'),
    timestampSeconds: Math.floor(nowMs / 1000),
  });
  const headers: Record<string, string> = {};
  for (let i = 0; i < list.length; i += 2) headers[list[i] ?? ''] = list[i + 1] ?? '';
  return { id, leaseId, event, attempt: attemptCount + 1, headers, body };
}
