import { ACTIVITIES_MAX, Activity, ACTIVITY_DAYS } from '@atrium/contracts/notes/activity';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { accountOf } from '@atrium/service-kit/authentication';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import type { ReadReplica } from '../database.ts';
import { type ActivityRecord, listActivities } from './store.ts';

function represent(row: ActivityRecord): Activity {
  return {
    id: row.id,
    kind: row.kind,
    userId: row.actorId,
    noteId: row.noteId,
    title: row.title,
    formerTitle: row.formerTitle,
    memberId: row.memberId,
    role: row.role,
    createdAt: row.createdAt.toISOString(),
  };
}

export async function activityRoutes(
  server: Server,
  { replica, access }: { replica: ReadReplica; access: AccessChecks },
): Promise<void> {
  server.get(
    '/api/workspaces/:id/activity',
    {
      schema: {
        operationId: 'listActivity',
        summary: 'List who did what in a workspace, newest first',
        description:
          `Kept for ${ACTIVITY_DAYS} days, the latest ${ACTIVITIES_MAX.toLocaleString('en')} entries. ` +
          'What one person changes of a note within five minutes is one entry. A note that is deleted for ' +
          'good leaves its entries without its titles. Names and avatars come from auth: GET /users?ids=',
        tags: ['Activity'],
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Activity), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const beforeId = decodeIdCursor(cursor);
      const { id: workspaceId } = request.params;
      const { id: accountId } = accountOf(request);
      await access.toWorkspace(workspaceId, accountId, 'read');
      const rows = await replica.read(accountId, (database) =>
        listActivities(database, workspaceId, limit + 1, beforeId),
      );
      const page = toPage(rows, limit, ({ id }) => [id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );
}
