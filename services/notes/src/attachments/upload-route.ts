import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import type { Transfers } from '../files/transfers.ts';
import type { Idempotency } from '../database.ts';
import { acceptBytes } from '@atrium/service-kit/streamed-bodies';
import { uploadAttachment } from './operation.ts';
import { represent } from './representation.ts';
import type { AttachmentStore } from './store.ts';
import { requireFileSize, type StoreUpload } from './upload.ts';

export async function uploadRoute(
  server: Server,
  options: {
    attachments: AttachmentStore;
    storeUpload: StoreUpload;
    transfers: Transfers;
    access: AccessChecks;
    idempotency: Idempotency;
  },
): Promise<void> {
  const { attachments, storeUpload, transfers, access, idempotency } = options;

  await server.register(async (scope: Server) => {
    acceptBytes(scope);
    scope.route({
      ...uploadAttachment(),
      async handler(request, reply) {
        const sizeBytes = Number(request.headers['content-length']);
        const accountId = accountOf(request).id;
        const { workspaceId, limits } = await access.toWorkspace(
          request.params.id,
          accountId,
          'writeNotes',
        );
        // A replay reads the content too, although it stores nothing.
        requireFileSize(sizeBytes, limits);
        transfers.receive({ client: accountId, response: reply.raw });
        const origin = { requestId: request.id };
        const upload = { ...request.query, workspaceId, accountId, sizeBytes, origin };
        return idempotency.createFromStream(request, reply, {
          content: request.raw,
          store: (content) => storeUpload({ ...upload, content }, limits),
          hasTwin: () => attachments.isStoring(workspaceId, request.query.name),
          async work(tx, id) {
            const stored = await attachments.markStored(tx, id, { workspaceId, accountId });
            if (stored === null) throw notFound('Workspace');
            return { status: 201, body: represent(stored) };
          },
          discard: (id) => attachments.detach(id),
        });
      },
    });
  });
}
