import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Page } from '@atrium/contracts/lists';
import {
  AccountDeliveriesQuery,
  DeliveriesQuery,
  Delivery,
  DeliveryDetail,
} from '@atrium/contracts/webhooks/deliveries';
import {
  DeliveryStatistics,
  StatisticsQuery,
} from '@atrium/contracts/webhooks/delivery-statistics';
import { createAccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { FastifyRequest } from 'fastify';
import type { ReadStatistics } from './statistics-store.ts';
import type { DeliveryHistory } from './store.ts';

export interface DeliveryRoutesDeps {
  deliveries: DeliveryHistory;
  readStatistics: ReadStatistics;
  authenticator: Authenticator;
}

/** A filtered page reads up to 51,000 rows, statistics 10,000 deliveries with their attempts. */
const LIST_RULE = { name: 'deliveries-list', limit: 600, windowSeconds: 60 };
const STATISTICS_RULE = { name: 'deliveries-statistics', limit: 120, windowSeconds: 60 };

const FILTERED_PAGES =
  'With a filter that few match a page may hold fewer deliveries than the limit, even none, and still ' +
  'have a nextCursor: each request reads a bounded number of rows.';

export async function deliveryRoutes(
  server: Server,
  { deliveries, readStatistics, authenticator }: DeliveryRoutesDeps,
): Promise<void> {
  requireAccessToken(server, authenticator);
  const gate = createAccountGate();
  /** A filter may read tens of thousands of rows to find a few, so those of an account take turns. */
  const inTurn = <Result>(
    request: FastifyRequest,
    { state, event }: DeliveriesQuery,
    read: (accountId: string) => Promise<Result>,
  ) =>
    state === undefined && event === undefined
      ? read(accountOf(request).id)
      : runInTurn(gate, request, read);

  server.get(
    '/api/webhooks/:id/deliveries',
    {
      config: { rateLimit: LIST_RULE, portal: 'webhook' },
      schema: {
        tags: ['Deliveries'],
        operationId: 'listWebhookDeliveries',
        summary: 'List the deliveries of a subscription, newest first',
        description: FILTERED_PAGES,
        params: IdParams,
        querystring: DeliveriesQuery,
        response: { 200: Page(Delivery), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { portal } = request;
      const query = { ...(portal !== null && { event: `${portal}.*` }), ...request.query };
      const page = await inTurn(request, query, (accountId) =>
        deliveries.listOf(id, accountId, query),
      );
      if (page === undefined) throw notFound('Webhook');
      return page;
    },
  );

  server.get(
    '/api/webhooks/:id/statistics',
    {
      config: { rateLimit: STATISTICS_RULE },
      schema: {
        tags: ['Deliveries'],
        operationId: 'getWebhookStatistics',
        summary: 'Count the attempts of a subscription by hour or day, with their durations',
        params: IdParams,
        querystring: StatisticsQuery,
        response: { 200: DeliveryStatistics, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const statistics = await readStatistics(id, accountOf(request).id, request.query);
      if (statistics === undefined) throw notFound('Webhook');
      return statistics;
    },
  );

  server.get(
    '/api/deliveries',
    {
      config: { rateLimit: LIST_RULE },
      schema: {
        tags: ['Deliveries'],
        operationId: 'listDeliveries',
        summary: 'List the deliveries of all your subscriptions, newest first',
        description: FILTERED_PAGES,
        querystring: AccountDeliveriesQuery,
        response: { 200: Page(Delivery), ...errorResponses(401, 422) },
      },
    },
    (request) =>
      inTurn(request, request.query, (accountId) => deliveries.list(accountId, request.query)),
  );

  server.get(
    '/api/deliveries/:id',
    {
      config: { portal: 'delivery' },
      schema: {
        tags: ['Deliveries'],
        operationId: 'getDelivery',
        summary: 'Get a delivery with its body and its attempts',
        params: IdParams,
        response: { 200: DeliveryDetail, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const delivery = await deliveries.find(request.params.id, accountOf(request).id);
      if (delivery === undefined) throw notFound('Delivery');
      return delivery;
    },
  );
}
