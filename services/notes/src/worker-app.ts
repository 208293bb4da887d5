import { createIdempotency } from '@atrium/service-kit/idempotency';
import { requireAccessToken } from '@atrium/service-kit/protected-routes';
import { createServer, type Server } from '@atrium/service-kit/server';
import type { Service } from '@atrium/service-kit/service';
import { createAccessChecks } from './access/checks.ts';
import { createAttachmentStore } from './attachments/store.ts';
import { createUploads } from './attachments/upload.ts';
import { uploadRoute } from './attachments/upload-route.ts';
import { exportRoute } from './export/route.ts';
import { createExportStore } from './export/store.ts';
import type { FileStorage } from './files/storage.ts';
import { createTransfers, UPLOAD_TIMEOUT_MS } from './files/transfers.ts';
import type { PrismaClient } from './generated/client.ts';
import type { ImportDeps } from './import/import-archive.ts';
import { createImportStore } from './import/store.ts';
import { importUploadRoute } from './import/upload-route.ts';
import { createNoteStore } from './notes/store.ts';

export interface WorkerDeps extends Service<PrismaClient> {
  storage: FileStorage;
  /** Called when an archive waits to be imported. */
  wakeImports: () => void;
}

/** What importing archives takes. */
export function createImportDeps({
  database,
  storage,
}: Pick<WorkerDeps, 'database' | 'storage'>): ImportDeps {
  const attachments = createAttachmentStore(database);
  return {
    database,
    storage,
    attachments,
    imports: createImportStore(database),
    access: createAccessChecks(database),
    notes: createNoteStore(database),
    storeUpload: createUploads(attachments, storage),
  };
}

/** The operations that the API forwards. */
export async function buildWorkerApp(deps: WorkerDeps): Promise<Server> {
  const { logger, ready, metrics, rateLimiter, database, storage } = deps;
  const server = await createServer({
    service: 'notes-worker',
    logger,
    ready,
    metrics,
    tracing: deps.tracing,
    rateLimiter,
    // The API is in front.
    trustProxy: true,
    corsOrigins: [],
    apiReference: false,
    requestTimeoutMs: UPLOAD_TIMEOUT_MS,
  });
  const idempotency = createIdempotency({ database, rateLimiter });
  const { imports, attachments, storeUpload, access } = createImportDeps(deps);
  // An export holds some notes for as long as its client takes them.
  const transfers = createTransfers({ uploads: 8, downloads: 2 });
  await server.register(async (api) => {
    requireAccessToken(api, deps.authenticator);
    idempotency.acceptKeys(api);
    const exports = createExportStore(database);
    await exportRoute(api, { ...deps, exports, transfers, access });
    const receiving = { transfers, access, idempotency };
    await uploadRoute(api, { ...receiving, attachments, storeUpload });
    await importUploadRoute(api, { ...receiving, imports, storage, onQueued: deps.wakeImports });
  });
  return server;
}
