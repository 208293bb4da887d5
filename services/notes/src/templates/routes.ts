import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { NoteSummary } from '@atrium/contracts/notes/notes';
import { accountOf } from '@atrium/service-kit/authentication';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import type { NoteRepresentation } from '../notes/representation.ts';
import type { TemplateStore } from './store.ts';

export async function templateRoutes(
  server: Server,
  options: { templates: TemplateStore; access: AccessChecks; representation: NoteRepresentation },
): Promise<void> {
  const { templates, access, representation } = options;

  server.get(
    '/api/workspaces/:id/templates',
    {
      schema: {
        operationId: 'listTemplates',
        summary: 'List the templates of a workspace, the newest first',
        description:
          'A template is a note that is copied: made by a copy, and copied into new notes.',
        tags: ['Notes'],
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(NoteSummary), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const beforeId = decodeIdCursor(cursor);
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(id, accountId, 'read');
      const rows = await templates.list(id, accountId, limit + 1, beforeId);
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(representation.summarize), nextCursor: page.nextCursor };
    },
  );
}
