import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import {
  FILTER_PREVIEW_EVENTS,
  FilterPreview,
  FilterPreviewBody,
} from '@atrium/contracts/webhooks/filters';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { compileFilter, newWork } from './filter.ts';
import { listRecentEvents } from './store.ts';

/** Each reads the bodies of fifty events. */
const PREVIEW_RULE = { name: 'webhooks-filter-preview', limit: 30, windowSeconds: 60 };

export interface FilterRoutesDeps {
  database: Database;
  authenticator: Authenticator;
}

export async function filterRoutes(server: Server, deps: FilterRoutesDeps): Promise<void> {
  const { database } = deps;
  requireAccessToken(server, deps.authenticator);

  server.post(
    '/api/webhooks/:id/filter-preview',
    {
      config: { rateLimit: PREVIEW_RULE, portal: 'webhook' },
      schema: {
        tags: ['Webhooks'],
        operationId: 'previewWebhookFilter',
        summary: `Try a filter against the last ${FILTER_PREVIEW_EVENTS} events that a subscription asks for`,
        description:
          'Nothing is changed. Events are those that were stored for any subscription of the account, tests left out.',
        params: IdParams,
        body: FilterPreviewBody,
        response: { 200: FilterPreview, ...errorResponses(401, 404, 422, 'filter-unusable') },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      const matches = compileFilter(request.body.filter);
      const where = { id, accountId, deletedAt: null };
      if ((await database.prisma.subscription.count({ where })) === 0) throw notFound('Webhook');
      const events = await listRecentEvents(database, id, accountId);
      const data = events.map(({ body, createdAt, ...event }) => ({
        ...event,
        createdAt: createdAt.toISOString(),
        matches: matches(JSON.parse(body), newWork()),
      }));
      return { matching: data.filter((event) => event.matches).length, data };
    },
  );
}
