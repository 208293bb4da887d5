import { errorResponses } from '@atrium/contracts/errors';
import { SearchQuery, SearchResponse } from '@atrium/contracts/notes';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { SearchStore } from './store.ts';

export async function searchRoutes(
  server: Server,
  { searches }: { searches: SearchStore },
): Promise<void> {
  server.get(
    '/api/search',
    {
      schema: {
        operationId: 'searchNotes',
        summary: 'Search notes by their words',
        tags: ['Search'],
        querystring: SearchQuery,
        response: { 200: SearchResponse, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { q, workspace: workspaceId, limit } = request.query;
      if (q.trim() === '') throw validationError('q must not be empty');
      const ownerId = accountOf(request).id;
      const found = await searches.search({ ownerId, query: q, workspaceId, limit });
      if (found === null) throw notFound('Workspace');
      return { ...found, query: q };
    },
  );
}
