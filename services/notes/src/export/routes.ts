import { FileContent } from '@atrium/contracts/attachments';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { FileStorage } from '../files/storage.ts';
import type { Transfers } from '../files/transfers.ts';
import type { AccessChecks } from '../members/access.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { archiveOf } from './archive.ts';
import type { ExportStore } from './store.ts';
import { zipOf } from './zip.ts';

export async function exportRoutes(
  server: Server,
  options: {
    exports: ExportStore;
    storage: FileStorage;
    transfers: Transfers;
    access: AccessChecks;
  },
): Promise<void> {
  const { exports, storage, transfers, access } = options;

  server.get(
    '/api/workspaces/:id/export',
    {
      config: { rateLimit: RATE_LIMITS.exports },
      schema: {
        operationId: 'exportWorkspace',
        summary: 'Download a workspace as a zip archive of Markdown files and attachments',
        description:
          'Each note has YAML front matter. While nothing changes, every archive is the same byte for ' +
          'byte. Notes in the trash are left out.',
        tags: ['Workspaces'],
        params: IdParams,
        response: {
          200: { content: { '*/*': { schema: FileContent, example: 'PK…' } } },
          ...errorResponses(401, 404),
        },
      },
    },
    async (request, reply) => {
      const accountId = accountOf(request).id;
      const { workspaceId } = await access.toWorkspace(request.params.id, accountId, 'read');
      const workspace = await exports.workspace(workspaceId);
      if (workspace === null) throw notFound('Workspace');
      const archive = zipOf(archiveOf(workspace, exports, storage));
      const sent = transfers.send(archive, { client: accountId, response: reply.raw });
      return reply
        .headers({
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="${workspaceId}.zip"`,
          'cache-control': 'no-store',
        })
        .send(sent);
    },
  );
}
