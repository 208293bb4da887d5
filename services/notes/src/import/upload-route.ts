import { accountOf } from '@atrium/service-kit/authentication';
import { HttpError, notFound, unavailable } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import { acceptBytes } from '@atrium/service-kit/streamed-bodies';
import type { FileStorage } from '../files/storage.ts';
import type { Transfers } from '../files/transfers.ts';
import { storeUnderLease } from '../files/upload-lease.ts';
import type { Idempotency } from '../database.ts';
import { sizeOf } from '../storage-use/store.ts';
import { importNotes } from './operation.ts';
import { represent } from './representation.ts';
import type { ImportStore } from './store.ts';

export async function importUploadRoute(
  server: Server,
  options: {
    imports: ImportStore;
    storage: FileStorage;
    transfers: Transfers;
    access: AccessChecks;
    idempotency: Idempotency;
    onQueued: () => void;
  },
): Promise<void> {
  const { imports, storage, transfers, access, idempotency, onQueued } = options;

  /** The archive first: an import whose archive cannot be removed is left to the job that purges them. */
  async function discard(id: string): Promise<void> {
    await storage.remove(id);
    await imports.discard(id);
  }

  await server.register(async (scope: Server) => {
    acceptBytes(scope);
    scope.route({
      ...importNotes(),
      async handler(request, reply) {
        const sizeBytes = Number(request.headers['content-length']);
        const accountId = accountOf(request).id;
        const { id: workspaceId } = request.params;
        const { limits } = await access.toWorkspace(workspaceId, accountId, 'writeNotes');
        if (sizeBytes > limits.archiveSizeBytes) {
          const most = sizeOf(limits.archiveSizeBytes);
          throw new HttpError(
            'plan-limit-size',
            `An archive may have at most ${most} in this workspace`,
          );
        }
        transfers.receive({ client: accountId, response: reply.raw });
        const origin = { requestId: request.id };
        return idempotency.createFromStream(request, reply, {
          content: request.raw,
          async store(content) {
            const id = await imports.create(origin, workspaceId, accountId, sizeBytes);
            if (id === null) throw new HttpError('import-running');
            try {
              await storeUnderLease(
                () => imports.renewUpload(id),
                () => storage.write(id, content, { sizeBytes }),
              );
            } catch (error) {
              await discard(id).catch((cause: unknown) =>
                request.log.warn({ err: cause, importId: id }, 'upload not discarded, is purged'),
              );
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
            tx.afterCommit(onQueued);
            return { status: 202, body: represent(queued) };
          },
          discard,
        });
      },
    });
  });
}
