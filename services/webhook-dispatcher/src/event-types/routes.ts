import { errorResponses } from '@atrium/contracts/errors';
import {
  EVENT_CATALOGUE,
  EventType,
  EventTypeParams,
} from '@atrium/contracts/webhooks/event-catalogue';
import { EVENT_NAMES } from '@atrium/contracts/event-names';
import { Page } from '@atrium/contracts/lists';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';

/** It changes with a release only. */
const CACHE_CONTROL = 'public, max-age=300';

const catalogue: EventType[] = EVENT_NAMES.map((name) => ({
  name,
  ...EVENT_CATALOGUE[name],
  schema: { ...EVENT_CATALOGUE[name].schema },
}));

/** The catalogue of events is public: it is documentation that programs can read. */
export async function eventTypeRoutes(server: Server): Promise<void> {
  server.get(
    '/api/event-types',
    {
      schema: {
        tags: ['Event types'],
        operationId: 'listEventTypes',
        summary: 'List the event types, each with a schema and an example of its data',
        response: { 200: Page(EventType), ...errorResponses() },
      },
    },
    async (_request, reply) =>
      reply.header('cache-control', CACHE_CONTROL).send({ data: catalogue, nextCursor: null }),
  );

  server.get(
    '/api/event-types/:name',
    {
      schema: {
        tags: ['Event types'],
        operationId: 'getEventType',
        summary: 'Get an event type',
        params: EventTypeParams,
        response: { 200: EventType, ...errorResponses(404) },
      },
    },
    async (request, reply) => {
      const found = catalogue.find(({ name }) => name === request.params.name);
      if (found === undefined) throw notFound('Event type');
      return reply.header('cache-control', CACHE_CONTROL).send(found);
    },
  );
}
