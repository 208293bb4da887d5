import { Activity, ACTIVITY_DAYS, type ActivityKind } from '@atrium/contracts/activity';
import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import type { CollaboratorRole } from '@atrium/contracts/members';
import { accountOf } from '@atrium/service-kit/authentication';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { Activity as ActivityRow, PrismaClient } from '../generated/client.ts';
import type { AccessChecks } from '../members/access.ts';

function represent(row: ActivityRow): Activity {
  return {
    id: row.id,
    // Written by recordActivity only.
    kind: row.kind as ActivityKind,
    userId: row.actorId,
    noteId: row.noteId,
    title: row.title,
    formerTitle: row.formerTitle,
    memberId: row.memberId,
    role: row.role as CollaboratorRole | null,
    createdAt: row.createdAt.toISOString(),
  };
}

export async function activityRoutes(
  server: Server,
  { prisma, access }: { prisma: PrismaClient; access: AccessChecks },
): Promise<void> {
  server.get(
    '/api/workspaces/:id/activity',
    {
      schema: {
        operationId: 'listActivity',
        summary: 'List who did what in a workspace, newest first',
        description:
          `Kept for ${ACTIVITY_DAYS} days. What one person changes of a note within five minutes is one ` +
          'entry. Names and avatars come from auth: GET /users?ids=',
        tags: ['Activity'],
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Activity), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const [before] = cursor === undefined ? [] : decodeCursor(cursor, 1);
      const { id: workspaceId } = request.params;
      await access.toWorkspace(workspaceId, accountOf(request).id, 'read');
      const rows = await prisma.activity.findMany({
        where: { workspaceId, ...(before !== undefined && { id: { lt: String(before) } }) },
        orderBy: { id: 'desc' },
        take: limit + 1,
      });
      const page = toPage(rows, limit, ({ id }) => [id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );
}
