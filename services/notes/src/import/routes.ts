import { FileContent } from '@atrium/contracts/attachments';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Import, ImportParams } from '@atrium/contracts/imports';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { accountOf } from '@atrium/service-kit/authentication';
import type { Sql } from '@atrium/service-kit/database';
import { conflict, notFound, planLimitExceeded, unavailable } from '@atrium/service-kit/http-error';
import type { Idempotency } from '@atrium/service-kit/idempotency';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import { acceptBytes, requireLength } from '../attachments/bytes.ts';
import { sizeOf } from '../storage-use/store.ts';
import type { FileStorage } from '../files/storage.ts';
import type { Transfers } from '../files/transfers.ts';
import { storeUnderLease } from '../files/upload-lease.ts';
import type { AccessChecks } from '../members/access.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { ImportRecord, ImportStore } from './store.ts';

const tags = ['Workspaces'];

function represent({ sourceName, sourceDescription, ...rest }: ImportRecord): Import {
  return {
    ...rest,
    source: sourceName === null ? null : { name: sourceName, description: sourceDescription ?? '' },
    createdAt: rest.createdAt.toISOString(),
    finishedAt: rest.finishedAt?.toISOString() ?? null,
  };
}

export async function importRoutes(
  server: Server,
  options: {
    imports: ImportStore;
    storage: FileStorage;
    transfers: Transfers;
    access: AccessChecks;
    idempotency: Idempotency<Sql>;
    onQueued: () => void;
  },
): Promise<void> {
  const { imports, storage, transfers, access, idempotency, onQueued } = options;

  await server.register(async (scope: Server) => {
    acceptBytes(scope);
    scope.post(
      '/api/workspaces/:id/imports',
      {
        config: { isIdempotent: 'stream', rateLimit: RATE_LIMITS.imports },
        preValidation: requireLength,
        schema: {
          operationId: 'importNotes',
          summary: 'Import a zip archive of Markdown files into a workspace',
          description:
            'The body is an export of a workspace, or a folder of Markdown files as Obsidian and Notion ' +
            'write it. It is imported after the response; the import tells how far it is. An archive that ' +
            'is not safe or whose notes do not fit is refused as a whole. Notes that an earlier import ' +
            'has created stay as they are.',
          tags,
          params: IdParams,
          body: { content: { '*/*': { schema: FileContent } } },
          response: { 202: Import, ...errorResponses(401, 403, 404, 409, 413) },
        },
      },
      async (request, reply) => {
        const sizeBytes = Number(request.headers['content-length']);
        const accountId = accountOf(request).id;
        const { id: workspaceId } = request.params;
        const { limits } = await access.toWorkspace(workspaceId, accountId, 'writeNotes');
        if (sizeBytes > limits.archiveSizeBytes) {
          const most = sizeOf(limits.archiveSizeBytes);
          throw planLimitExceeded(`An archive may have at most ${most} in this workspace`);
        }
        const content = transfers.receive(request.raw, { client: accountId, response: reply.raw });
        const answer = await idempotency.createFromStream(request, reply, {
          content,
          async store(content) {
            const id = await imports.create(workspaceId, accountId, sizeBytes);
            if (id === null) throw conflict('Another import into this workspace is in progress');
            try {
              await storeUnderLease(
                () => imports.renewUpload(id),
                () => storage.write(id, content),
              );
            } catch (error) {
              await imports.discard(id);
              throw unavailable(
                'The archive could not be stored, please try again',
                undefined,
                error,
              );
            }
            return id;
          },
          hasTwin: () => imports.isUploading(workspaceId, accountId, sizeBytes),
          async work(tx, id) {
            const queued = await imports.enqueue(tx, id);
            if (queued === null) throw notFound('Workspace');
            return { status: 202, body: represent(queued) };
          },
          async discard(id) {
            await storage.remove(id);
            await imports.discard(id);
          },
        });
        onQueued();
        return answer;
      },
    );
  });

  server.get(
    '/api/workspaces/:id/imports',
    {
      schema: {
        operationId: 'listImports',
        summary: 'List the imports of the last 30 days into a workspace, newest first',
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
      const rows = await imports.list(workspaceId, limit + 1, decodeIdCursor(cursor));
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/workspaces/:id/imports/:importId',
    {
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
