import { createForwarder } from '@atrium/service-kit/forwarder';
import type { Server } from '@atrium/service-kit/server';
import { acceptBytes } from '@atrium/service-kit/streamed-bodies';
import { uploadAttachment } from '../attachments/operation.ts';
import { exportWorkspace } from '../export/operation.ts';
import { importNotes } from '../import/operation.ts';

/** Operations of the API that the worker carries out, as they may take much memory or time. */
export async function workerRoutes(server: Server, workerUrl: string): Promise<void> {
  await server.register(async (scope: Server) => {
    acceptBytes(scope);
    const handler = createForwarder(workerUrl);
    scope.route({ ...exportWorkspace(), handler });
    scope.route({ ...importNotes(), handler });
    scope.route({ ...uploadAttachment(), handler });
  });
}
