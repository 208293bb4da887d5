import { errorResponses } from '@atrium/contracts/errors';
import { ListQuery, Page } from '@atrium/contracts/lists';
import {
  ChangeEventNamespaceBody,
  EventNamespace,
  NamespaceParams,
} from '@atrium/contracts/webhooks/publishing';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import { requireOperator } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { changeNamespace, listNamespaces } from './namespace-store.ts';

/** How operators decide which applications may publish to every account. */
export async function namespaceRoutes(
  server: Server,
  { database, authenticator }: { database: Database; authenticator: Authenticator },
): Promise<void> {
  requireOperator(server, authenticator);

  server.get(
    '/api/operator/namespaces',
    {
      schema: {
        operationId: 'listEventNamespaces',
        summary: 'List the products that publish events',
        querystring: ListQuery,
        response: { 200: Page(EventNamespace), ...errorResponses(401, 404, 422) },
      },
    },
    async ({ query: { limit, cursor } }) => {
      const page = { after: decodeIdCursor(cursor) ?? '', limit: limit + 1 };
      const { data, nextCursor } = toPage(
        await listNamespaces(database, page),
        limit,
        ({ name }) => [name],
      );
      return { data: data.map(represent), nextCursor };
    },
  );

  server.patch(
    '/api/operator/namespaces/:name',
    {
      schema: {
        operationId: 'updateEventNamespace',
        summary:
          'Let an application publish the events of its product to every account, or no more',
        description: 'Its event types are then in the catalogue of everybody.',
        params: NamespaceParams,
        body: ChangeEventNamespaceBody,
        response: { 200: EventNamespace, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const changed = await changeNamespace(database, request.params.name, request.body);
      if (changed === undefined) throw notFound('Product');
      return represent(changed);
    },
  );
}

const represent = ({ createdAt, ...row }: Awaited<ReturnType<typeof listNamespaces>>[number]) => ({
  ...row,
  createdAt: createdAt.toISOString(),
});
