import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import type { FileStorage } from '../files/storage.ts';
import type { Transfers } from '../files/transfers.ts';
import { archiveOf } from './archive.ts';
import { exportWorkspace } from './operation.ts';
import type { ExportStore } from './store.ts';
import { zipOf } from './zip.ts';

export async function exportRoute(
  server: Server,
  options: {
    exports: ExportStore;
    storage: FileStorage;
    transfers: Transfers;
    access: AccessChecks;
  },
): Promise<void> {
  const { exports, storage, transfers, access } = options;

  server.route({
    ...exportWorkspace(),
    async handler(request, reply) {
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
  });
}
