import { errorResponses } from '@atrium/contracts/errors';
import {
  SearchQuery,
  SearchResponse,
  TitleQuery,
  TitleResponse,
} from '@atrium/contracts/notes/search';
import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import type { Sql } from '@atrium/service-kit/database';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import { decodeCursor, encodeCursor } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import { RATE_LIMITS } from '../rate-limits.ts';
import { RESULTS_MAX, searchNotes } from './store.ts';
import { searchTitles } from './titles.ts';

export async function searchRoutes(
  server: Server,
  { sql, gate }: { sql: Sql; gate: AccountGate },
): Promise<void> {
  server.get(
    '/api/search',
    {
      config: { rateLimit: RATE_LIMITS.searches },
      schema: {
        operationId: 'searchNotes',
        summary: 'Search notes by their words',
        description:
          'Understands "a phrase", -word, tag:name, in:workspace and updated:>2026-01-31. Not all words are required; notes with more of them come first.',
        tags: ['Search'],
        querystring: SearchQuery,
        response: { 200: SearchResponse, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { q, workspace: workspaceId, limit, cursor } = request.query;
      if (q.trim() === '') throw validationError('q must not be empty');
      const offset = readOffset(cursor);
      const answer = await runInTurn(gate, request, (accountId) =>
        searchNotes(sql, { accountId, query: q, workspaceId, limit, offset }),
      );
      if (answer === null) throw notFound('Workspace');
      const { results, total, didYouMean, isPartial } = answer;
      const next = offset + limit;
      const hasMore = next < Math.min(total, RESULTS_MAX);
      const nextCursor = hasMore ? encodeCursor([next]) : null;
      return { results, total, query: q, nextCursor, didYouMean, isPartial };
    },
  );

  server.get(
    '/api/search/titles',
    {
      config: { rateLimit: RATE_LIMITS.searches },
      schema: {
        operationId: 'searchTitles',
        summary: 'Find notes by their titles while the query is being typed',
        tags: ['Search'],
        querystring: TitleQuery,
        response: { 200: TitleResponse, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { q: typed, workspace: workspaceId, limit } = request.query;
      const data = await runInTurn(gate, request, (accountId) =>
        searchTitles(sql, { accountId, typed, workspaceId, limit }),
      );
      if (data === null) throw notFound('Workspace');
      return { data };
    },
  );
}

/** A page of results begins at a rank: their order changes with every note that is written. */
function readOffset(cursor: string | undefined): number {
  if (cursor === undefined) return 0;
  const [offset] = decodeCursor(cursor, 1);
  if (
    typeof offset !== 'number' ||
    !Number.isInteger(offset) ||
    offset < 0 ||
    offset > RESULTS_MAX
  ) {
    throw validationError('Cursor is not valid');
  }
  return offset;
}
