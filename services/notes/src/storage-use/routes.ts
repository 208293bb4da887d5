import { errorResponses } from '@atrium/contracts/errors';
import { limitOrNull, PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { StorageUse } from '@atrium/contracts/notes/storage-use';
import { accountOf } from '@atrium/service-kit/authentication';
import type { Sql } from '@atrium/service-kit/database';
import type { Server } from '@atrium/service-kit/server';
import { readStorageUse } from './store.ts';

export async function storageUseRoutes(server: Server, { sql }: { sql: Sql }): Promise<void> {
  server.get(
    '/api/storage',
    {
      schema: {
        operationId: 'getStorageUse',
        summary: 'Get how much your workspaces take, and how much they may',
        description:
          'The limit is one for everything together. A note and a version count the bytes of their content and ' +
          '1 kB; an attachment counts in each workspace that has it.',
        tags: ['Storage'],
        response: { 200: StorageUse, ...errorResponses(401) },
      },
    },
    async (request) => {
      const { id, plan } = accountOf(request);
      const { storageBytes, fileSizeBytes } = PLAN_LIMITS[plan];
      return {
        ...(await readStorageUse(sql, id)),
        limitBytes: limitOrNull(storageBytes),
        fileLimitBytes: fileSizeBytes,
      };
    },
  );
}
