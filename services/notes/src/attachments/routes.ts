import { FileContent } from '@atrium/contracts/file-content';
import { Attachment } from '@atrium/contracts/notes/attachments';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import type { FileStorage } from '../files/storage.ts';
import type { Transfers } from '../files/transfers.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { contentHeaders } from './content-headers.ts';
import { readContent } from './read-content.ts';
import { represent } from './representation.ts';
import type { AttachmentStore } from './store.ts';

const tags = ['Attachments'];

export async function attachmentRoutes(
  server: Server,
  options: {
    attachments: AttachmentStore;
    storage: FileStorage;
    transfers: Transfers;
    access: AccessChecks;
  },
): Promise<void> {
  const { attachments, storage, transfers, access } = options;

  server.get(
    '/api/workspaces/:id/attachments',
    {
      schema: {
        operationId: 'listAttachments',
        summary: 'List the attachments of a workspace, newest first',
        tags,
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Attachment), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const accountId = accountOf(request).id;
      const { workspaceId } = await access.toWorkspace(request.params.id, accountId, 'read');
      const rows = await attachments.list(workspaceId, limit + 1, decodeIdCursor(cursor));
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/attachments/:id/content',
    {
      schema: {
        operationId: 'downloadAttachment',
        summary: 'Get the content of an attachment',
        description: 'It can neither run scripts nor be shown as another type than its own.',
        tags,
        params: IdParams,
        response: {
          200: { content: { '*/*': { schema: FileContent, example: '…' } } },
          ...errorResponses(401, 404),
        },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request).id;
      const file = await attachments.find(request.params.id, accountId, 'read');
      if (file === null) throw notFound('Attachment');
      const content = await readContent(storage, file.id, request.log);
      const sent = transfers.send(content, { client: accountId, response: reply.raw });
      return reply.headers(contentHeaders(file)).send(sent);
    },
  );

  server.delete(
    '/api/attachments/:id',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'deleteAttachment',
        summary: 'Delete an attachment',
        description:
          'From every workspace of yours that has it, also where a note refers to it. Only the owner of a ' +
          'workspace can do so, as it cannot be undone.',
        tags,
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request).id;
      const { id } = request.params;
      const isDetached = await attachments.detachOwned(id, accountId);
      if (!isDetached) {
        const file = await attachments.find(id, accountId, 'read');
        if (file !== null) await access.toWorkspace(file.workspaceId, accountId, 'deleteFiles');
        throw notFound('Attachment');
      }
      return reply.code(204).send(null);
    },
  );
}
