import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ClicksByDay, ClicksOverview, ClicksQuery } from '@atrium/contracts/links';
import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { Database, ReadReplica } from '../database.ts';
import { fillDays, firstDay } from './days.ts';
import { findDays, findOverview, isOwned } from './store.ts';

export async function clickRoutes(
  server: Server,
  deps: { database: Database; replica: ReadReplica; gate: AccountGate; clockMs: () => number },
): Promise<void> {
  const { database, replica, gate, clockMs } = deps;
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
      // It reads a row for each day of each link.
      const counted = await runInTurn(gate, request, (accountId) =>
        replica.read(accountId, (reads) => findOverview(reads, accountId, from)),
      );
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
      const { id } = request.params;
      const { id: ownerId } = accountOf(request);
      if (!(await isOwned(database, { id, ownerId }))) throw notFound('Link');
      const counted = await replica.read(ownerId, (reads) => findDays(reads, id, from));
      return { data: fillDays(counted, from, days) };
    },
  );
}
