import { Backlink, NoteLinks } from '@atrium/contracts/notes/backlinks';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import { accountOf } from '@atrium/service-kit/authentication';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import { wordsOf } from '../search-index/words.ts';
import { beginningOf, snippetOf } from '../search-index/snippet.ts';
import type { AccessChecks } from '../access/checks.ts';
import type { BacklinkStore } from './store.ts';

const tags = ['Notes'];

function excerptAround(name: string, passage: string): string {
  const words = new Set([...wordsOf(name)].map(({ word }) => word));
  return snippetOf(passage, (word) => (words.has(word) ? 0 : undefined)) ?? beginningOf(passage);
}

export async function backlinkRoutes(
  server: Server,
  {
    backlinks,
    access,
    gate,
  }: { backlinks: BacklinkStore; access: AccessChecks; gate: AccountGate },
): Promise<void> {
  server.get(
    '/api/notes/:id/links',
    {
      schema: {
        operationId: 'listNoteLinks',
        summary: 'List the notes that the titles in a note mean',
        description:
          'A note links to a title of its workspace with [[Title]] or [[Title|other words]], and goes on to mean ' +
          'that note when it is renamed. At most 200 links of a note count.',
        tags,
        params: IdParams,
        response: { 200: NoteLinks, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'read');
      return { data: await backlinks.links(id, accountId) };
    },
  );

  server.get(
    '/api/notes/:id/backlinks',
    {
      schema: {
        operationId: 'listBacklinks',
        summary: 'List the notes that link to a note, the newest first',
        description: 'By its title or its URL, and only those that you may read.',
        tags,
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Backlink), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const beforeId = decodeIdCursor(cursor);
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(id, accountId, 'read');
      const rows = await runInTurn(gate, request, () =>
        backlinks.list(id, accountId, limit + 1, beforeId),
      );
      const page = toPage(rows, limit, (row) => [row.id]);
      return {
        ...page,
        data: page.data.map(({ name, passage, ...source }) => ({
          ...source,
          excerpt: excerptAround(name, passage),
        })),
      };
    },
  );
}
