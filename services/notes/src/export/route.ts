import { accountOf, type Authenticator } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
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
    authenticator: Pick<Authenticator, 'isCurrent'>;
  },
): Promise<void> {
  const { exports, storage, transfers, access, authenticator } = options;

  server.route({
    ...exportWorkspace(),
    async handler(request, reply) {
      const { id: accountId, sessionId } = accountOf(request);
      const requireAccess = () => access.toWorkspace(request.params.id, accountId, 'read');
      const { workspaceId } = await requireAccess();
      const workspace = await exports.workspace(workspaceId);
      if (workspace === null) throw notFound('Workspace');
      const archive = archiveOf(workspace, exports, storage, async () => {
        // Not its token: an archive may take longer than that lasts.
        if (!authenticator.isCurrent({ sessionId, expiresAtMs: Infinity })) {
          throw new HttpError('token-invalid');
        }
        await requireAccess();
      });
      const sent = transfers.send(zipOf(archive), { client: accountId, response: reply.raw });
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
