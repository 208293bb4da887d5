import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { NoteSummary } from '@atrium/contracts/notes/notes';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeTimeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { NoteRepresentation } from '../notes/representation.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { FavouriteStore } from './store.ts';

export async function favouriteRoutes(
  server: Server,
  options: { favourites: FavouriteStore; representation: NoteRepresentation },
): Promise<void> {
  const { favourites, representation } = options;
  const tags = ['Notes'];

  server.get(
    '/api/favourites',
    {
      schema: {
        operationId: 'listFavourites',
        summary: 'List the favourites of the account in all workspaces, the latest first',
        tags,
        querystring: ListQuery,
        response: { 200: Page(NoteSummary), ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = decodeTimeCursor(cursor);
      const rows = await favourites.list(accountOf(request).id, limit + 1, after);
      const page = toPage(rows, limit, (row) => [row.favouriteSince, row.id]);
      return { data: page.data.map(representation.summarize), nextCursor: page.nextCursor };
    },
  );

  server.put(
    '/api/notes/:id/favourite',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'addFavourite',
        summary: 'Make a note a favourite of the account',
        description: 'Other members do not see it, and the note keeps its entity tag.',
        tags,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const outcome = await favourites.change(request.params.id, accountOf(request).id, true);
      if (outcome === 'missing') throw notFound('Note');
      return reply.code(204).send(null);
    },
  );

  server.delete(
    '/api/notes/:id/favourite',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'removeFavourite',
        summary: 'Make a note no favourite of the account any more',
        tags,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const outcome = await favourites.change(request.params.id, accountOf(request).id, false);
      if (outcome === 'missing') throw notFound('Note');
      return reply.code(204).send(null);
    },
  );
}
