import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ClicksByDay, ClicksQuery } from '@atrium/contracts/links';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database } from '../database.ts';
import { fillDays, firstDay } from './days.ts';
import { findDays } from './store.ts';

export async function clickRoutes(
  server: Server,
  { database, clockMs }: { database: Database; clockMs: () => number },
): Promise<void> {
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
