import { errorResponses } from '@atrium/contracts/errors';
import { EventTrace } from '@atrium/contracts/webhooks/event-trace';
import { IdParams } from '@atrium/contracts/ids';
import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import type { Server } from '@atrium/service-kit/server';
import type { FindEventTrace } from './store.ts';

export async function eventTraceRoutes(
  server: Server,
  deps: { findEventTrace: FindEventTrace; authenticator: Authenticator },
): Promise<void> {
  requireAccessToken(server, deps.authenticator);

  server.get(
    '/api/events/:id',
    {
      schema: {
        tags: ['Events'],
        operationId: 'getEvent',
        summary: 'Get an event with its cause, data, deliveries and attempts',
        description: 'An event is stored when a subscription asks for its type.',
        params: IdParams,
        response: { 200: EventTrace, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const trace = await deps.findEventTrace(request.params.id, accountOf(request).id);
      if (trace === undefined) throw notFound('Event');
      return trace;
    },
  );
}
