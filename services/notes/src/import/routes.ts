import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Import, ImportParams } from '@atrium/contracts/notes/imports';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, encodeCursor } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import { represent } from './representation.ts';
import type { ImportStore } from './store.ts';

const tags = ['Workspaces'];

export async function importRoutes(
  server: Server,
  options: {
    imports: ImportStore;
    access: AccessChecks;
  },
): Promise<void> {
  const { imports, access } = options;

  server.get(
    '/api/workspaces/:id/imports',
    {
      config: { tellsOfChanges: true },
      schema: {
        operationId: 'listImports',
        summary: 'List the imports of the last 30 days into a workspace, newest first',
        description: 'A page ends early when the reports of its imports are long.',
        tags,
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Import), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const accountId = accountOf(request).id;
      const { workspaceId } = await access.toWorkspace(request.params.id, accountId, 'read');
      const rows = await imports.list(workspaceId, limit, decodeIdCursor(cursor));
      const last = rows.at(-1);
      const nextCursor = last?.hasMore === true ? encodeCursor([last.id]) : null;
      return { data: rows.map(represent), nextCursor };
    },
  );

  server.get(
    '/api/workspaces/:id/imports/:importId',
    {
      config: { tellsOfChanges: true },
      schema: {
        operationId: 'getImport',
        summary: 'Get how far an import is',
        tags,
        params: ImportParams,
        response: { 200: Import, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const { id, importId } = request.params;
      const { workspaceId } = await access.toWorkspace(id, accountOf(request).id, 'read');
      const found = await imports.find(workspaceId, importId);
      if (found === null) throw notFound('Import');
      return represent(found);
    },
  );
}
