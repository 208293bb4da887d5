import { errorResponses } from '@atrium/contracts/errors';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { EventType, EventTypeParams } from '@atrium/contracts/webhooks/event-catalogue';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import { acceptAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { findInCatalogue, OWN_EVENT_TYPES, representEventType } from './catalogue.ts';
import { listEventTypes } from './store.ts';

/** Everybody sees the same. */
const PUBLIC = 'public, max-age=300';

/**
 * The catalogue of event types is public: it is documentation that programs can read. With a token it also has
 * those of the account's own products.
 */
export async function eventTypeRoutes(
  server: Server,
  { database, authenticator }: { database: Database; authenticator: Authenticator },
): Promise<void> {
  acceptAccessToken(server, authenticator);
  const tags = ['Event types'];

  server.get(
    '/api/event-types',
    {
      config: { portal: 'list' },
      schema: {
        tags,
        operationId: 'listEventTypes',
        summary: 'List the event types, each with a schema and an example of its data',
        description: 'Those of Atrium come first, then those of products by name.',
        querystring: ListQuery,
        response: { 200: Page(EventType), ...errorResponses(401, 422) },
      },
    },
    async (request, reply) => {
      const { limit, cursor } = request.query;
      const accountId = request.account?.id ?? null;
      const after = decodeIdCursor(cursor) ?? '';
      const { portal } = request;
      const own = after === '' && portal === null ? OWN_EVENT_TYPES : [];
      const page = { accountId, after, limit: limit + 1, namespace: portal };
      const products = toPage(await listEventTypes(database, page), limit, ({ name }) => [name]);
      reply.header('cache-control', accountId === null ? PUBLIC : 'no-store');
      return { ...products, data: [...own, ...products.data.map(representEventType)] };
    },
  );

  server.get(
    '/api/event-types/:name',
    {
      schema: {
        tags,
        operationId: 'getEventType',
        summary: 'Get an event type',
        params: EventTypeParams,
        response: { 200: EventType, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const { name } = request.params;
      const accountId = request.account?.id ?? null;
      const found = await findInCatalogue(database, { name, accountId });
      if (found === undefined) throw notFound('Event type');
      reply.header('cache-control', accountId === null ? PUBLIC : 'no-store');
      return found;
    },
  );
}
