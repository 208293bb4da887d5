import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ClicksByDay, ClicksOverview, ClicksQuery } from '@atrium/contracts/links';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { fillDays, firstDay } from './days.ts';
import { findDays, findOverview } from './store.ts';

export async function clickRoutes(
  server: Server,
  { database, clockMs }: { database: Database; clockMs: () => number },
): Promise<void> {
  server.get(
    '/api/links/clicks',
    {
      schema: {
        operationId: 'getClicksOverview',
        summary: 'Count the clicks on all your links, and name the best ones',
        tags: ['Links'],
        querystring: ClicksQuery,
        response: { 200: ClicksOverview, ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { days } = request.query;
      const from = firstDay(days, clockMs());
      const counted = await findOverview(database, accountOf(request).id, from);
      return {
        total: counted.total,
        data: fillDays(counted.days, from, days),
        best: counted.best,
      };
    },
  );

  server.get(
    '/api/links/:id/clicks',
    {
      schema: {
        operationId: 'getClicks',
        summary: 'Count the clicks of each day, of people and of bots',
        tags: ['Links'],
        params: IdParams,
        querystring: ClicksQuery,
        response: { 200: ClicksByDay, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { days } = request.query;
      const from = firstDay(days, clockMs());
      const owned = { id: request.params.id, ownerId: accountOf(request).id };
      const counted = await findDays(database, owned, from);
      if (counted === undefined) throw notFound('Link');
      return { data: fillDays(counted, from, days) };
    },
  );
}
