import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import {
  ChangeSubscriptionBody,
  CreatedSubscription,
  CreateSubscriptionBody,
  Subscription,
} from '@atrium/contracts/webhooks/webhooks';
import type { DestinationKind } from '@atrium/contracts/webhooks/destinations';
import {
  accountOf,
  type Authenticator,
  requireVerifiedEmail,
} from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { RateLimiter } from '@atrium/service-kit/rate-limit';
import { addRateLimitHeaders } from '@atrium/service-kit/request-limits';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { Idempotency } from '../database.ts';
import { assertFilter } from '../filters/filter.ts';
import { assertCustomHeaders } from './custom-headers.ts';
import { assertHeadersFit } from './destination.ts';
import { newSecret } from './secrets.ts';
import { ownerOf } from './owner.ts';
import type { SubscriptionStore } from './store.ts';

/** Each new URL resolves a name that the caller chose. */
const CREATE_RULE = { name: 'webhooks-create', limit: 60, windowSeconds: 60 };
const CHANGE_URL_RULE = { name: 'webhooks-change-url', limit: 60, windowSeconds: 60 };

/** Throws a Validation Error unless there are such event types. */
export type AssertPatterns = (patterns: readonly string[], accountId: string) => Promise<void>;

export interface SubscriptionRoutesDeps {
  subscriptions: SubscriptionStore;
  idempotency: Idempotency;
  authenticator: Authenticator;
  rateLimiter: RateLimiter;
  /** Throws a Validation Error unless deliveries of this kind may go to this URL. */
  assertUrl: (url: string, kind: DestinationKind, accountId: string) => Promise<void>;
  assertPatterns: AssertPatterns;
  /** Deliveries of these subscriptions may be sent again. */
  wakeWorkers: (subscriptionIds: readonly string[]) => Promise<void>;
}

const tags = ['Webhooks'];

export async function subscriptionRoutes(
  server: Server,
  deps: SubscriptionRoutesDeps,
): Promise<void> {
  const { subscriptions, idempotency, rateLimiter, assertUrl, assertPatterns, wakeWorkers } = deps;
  requireAccessToken(server, deps.authenticator);
  idempotency.acceptKeys(server);

  server.post(
    '/api/webhooks',
    {
      config: { rateLimit: CREATE_RULE, isIdempotent: true, portal: 'list' },
      preHandler: requireVerifiedEmail,
      schema: {
        tags,
        operationId: 'createWebhook',
        summary: 'Subscribe to events; the response shows the signing secret once',
        body: CreateSubscriptionBody,
        response: {
          201: CreatedSubscription,
          ...errorResponses(
            401,
            422,
            'email-not-verified',
            'plan-limit-webhooks',
            'url-not-allowed',
            'event-type-unknown',
            'filter-unusable',
          ),
        },
      },
    },
    async (request, reply) => {
      const account = accountOf(request);
      const { kind } = request.body.destination ?? { kind: 'http' };
      assertCustomHeaders(request.body.headers ?? {});
      assertFilter(request.body.filter);
      assertHeadersFit(kind, request.body.headers);
      await assertPatterns(request.body.events, account.id);
      await assertUrl(request.body.url, kind, account.id);
      const secret = newSecret();
      const body = { ...request.body, secret };
      return idempotency.create(request, reply, async (tx) => {
        const created = await subscriptions.create(tx, account, body);
        const headers = { 'cache-control': 'no-store' };
        return { status: 201, headers, body: { ...created, secret } };
      });
    },
  );

  server.get(
    '/api/webhooks',
    {
      config: { portal: 'list' },
      schema: {
        tags,
        operationId: 'listWebhooks',
        summary: 'List your subscriptions, newest first',
        querystring: ListQuery,
        response: { 200: Page(Subscription), ...errorResponses(401, 422) },
      },
    },
    (request) => subscriptions.list(ownerOf(request), request.query),
  );

  server.get(
    '/api/webhooks/:id',
    {
      config: { portal: 'webhook' },
      schema: {
        tags,
        operationId: 'getWebhook',
        summary: 'Get a subscription',
        params: IdParams,
        response: { 200: Subscription, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const found = await subscriptions.findOwned(request.params.id, accountOf(request).id);
      if (found === undefined) throw notFound('Webhook');
      return found;
    },
  );

  server.patch(
    '/api/webhooks/:id',
    {
      config: { portal: 'webhook' },
      schema: {
        tags,
        operationId: 'updateWebhook',
        summary: 'Change a subscription; enabling or resuming sends the events kept meanwhile',
        params: IdParams,
        body: ChangeSubscriptionBody,
        response: {
          200: Subscription,
          ...errorResponses(
            401,
            404,
            422,
            'url-not-allowed',
            'headers-required',
            'credentials-required',
            'event-type-unknown',
            'filter-unusable',
          ),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      const { url, destination, headers, enabled, paused, events } = request.body;
      assertCustomHeaders(headers ?? {});
      assertFilter(request.body.filter);
      if (url !== undefined || destination !== undefined) {
        const limits = await rateLimiter.consume(CHANGE_URL_RULE, accountId);
        addRateLimitHeaders(reply, CHANGE_URL_RULE, limits);
      }
      // Before the name is resolved, so that another account's webhook is not found.
      const owned = await subscriptions.findOwned(id, accountId);
      if (owned === undefined) throw notFound('Webhook');
      if (events !== undefined) await assertPatterns(events, accountId);
      const { kind } = destination ?? owned.destination;
      assertHeadersFit(kind, headers);
      if (url !== undefined || destination !== undefined) {
        await assertUrl(url ?? owned.url, kind, accountId);
      }
      const origin = { requestId: request.id };
      const result = await subscriptions.change(id, ownerOf(request), request.body, origin);
      if (result.kind === 'missing') throw notFound('Webhook');
      if (result.kind === 'headersOfAnotherOrigin') {
        throw new HttpError('headers-required');
      }
      if (result.kind === 'credentialsOfAnotherOrigin') {
        throw new HttpError('credentials-required');
      }
      if (enabled === true || paused === false) await wakeWorkers([id]);
      return result.subscription;
    },
  );

  server.delete(
    '/api/webhooks/:id',
    {
      config: { portal: 'webhook' },
      schema: {
        tags,
        operationId: 'deleteWebhook',
        summary: 'Delete a subscription and its deliveries',
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const removed = await subscriptions.remove(request.params.id, accountOf(request).id);
      if (!removed) throw notFound('Webhook');
      return reply.code(204).send(null);
    },
  );
}
