import { errorResponses } from '@atrium/contracts/errors';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { DeliveryQueues, EndpointFailures, RejectedEvent } from '@atrium/contracts/auth/operator';
import type { Authenticator } from '@atrium/service-kit/authentication';
import { validationError } from '@atrium/service-kit/http-error';
import { requireOperator } from '@atrium/service-kit/protected-routes';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import type { ReadBacklog } from '../scheduling/backlog-store.ts';
import { countHeldDeliveries, listRejectedEvents, listWorstEndpoints } from './store.ts';

export interface OperatorRoutesDeps {
  database: Database;
  authenticator: Authenticator;
  readBacklog: ReadBacklog;
  readThroughput: () => Promise<DeliveryQueues['throughput']>;
  /** Batches on the queue of events. */
  countEventBatches: () => Promise<number>;
}

export async function operatorRoutes(server: Server, deps: OperatorRoutesDeps): Promise<void> {
  const { database } = deps;
  requireOperator(server, deps.authenticator);

  server.get(
    '/api/operator/queues',
    {
      schema: {
        operationId: 'getDeliveryQueues',
        summary: 'Get how far deliveries are behind, and how many are made',
        response: { 200: DeliveryQueues, ...errorResponses(401, 404) },
      },
    },
    async () => {
      const [backlog, heldDeliveries, throughput, eventBatches] = await Promise.all([
        deps.readBacklog(),
        countHeldDeliveries(database),
        deps.readThroughput(),
        deps.countEventBatches(),
      ]);
      return { ...backlog, heldDeliveries, throughput, eventBatches };
    },
  );

  server.get(
    '/api/operator/endpoints',
    {
      schema: {
        operationId: 'listWorstEndpoints',
        summary: 'List the endpoints that fail most, the worst first',
        description: 'At most 20, by the share of their last 100 deliveries that failed.',
        response: { 200: Page(EndpointFailures), ...errorResponses(401, 404) },
      },
    },
    async () => ({ data: await listWorstEndpoints(database), nextCursor: null }),
  );

  server.get(
    '/api/operator/rejected-events',
    {
      schema: {
        operationId: 'listRejectedEvents',
        summary: 'List the events that could not be stored, newest first',
        querystring: ListQuery,
        response: { 200: Page(RejectedEvent), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const page = { beforeSeq: seqOf(cursor), limit: limit + 1 };
      return toPage(await listRejectedEvents(database, page), limit, ({ seq }) => [seq]);
    },
  );
}

function seqOf(cursor: string | undefined): string | null {
  if (cursor === undefined) return null;
  const [seq] = decodeCursor(cursor, 1);
  if (typeof seq !== 'string' || !/^\d{1,18}$/.test(seq)) {
    throw validationError('Cursor is not valid');
  }
  return seq;
}
