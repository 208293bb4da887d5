import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import {
  ChangeMemberBody,
  Member,
  MemberParams,
  TransferWorkspaceBody,
} from '@atrium/contracts/notes/members';
import { accountOf } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { decodeTimeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import type { Database } from '../database.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { MemberRecord, MemberStore } from './store.ts';
import { transferWorkspace } from './transfer.ts';

function represent({ joinedAt, ...member }: MemberRecord): Member {
  return { ...member, joinedAt: joinedAt.toISOString() };
}

export async function memberRoutes(
  server: Server,
  options: { members: MemberStore; access: AccessChecks; database: Database },
): Promise<void> {
  const { members, access, database } = options;
  const tags = ['Members'];

  server.get(
    '/api/workspaces/:id/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'List the members of a workspace; those who joined first come first',
        description: 'Their names and avatars come from auth: GET /users?ids=',
        tags,
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Member), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = decodeTimeCursor(cursor);
      const { workspaceId } = await access.toWorkspace(
        request.params.id,
        accountOf(request).id,
        'read',
      );
      const rows = await members.list(workspaceId, limit + 1, after);
      const page = toPage(rows, limit, (row) => [row.joinedAt.toISOString(), row.userId]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.patch(
    '/api/workspaces/:id/members/:userId',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'changeMember',
        summary: 'Change the role of a collaborator',
        tags,
        params: MemberParams,
        body: ChangeMemberBody,
        response: { 200: Member, ...errorResponses(401, 403, 404, 422, 'transfer-required') },
      },
    },
    async (request) => {
      const { id, userId } = request.params;
      const requesterId = accountOf(request).id;
      await access.toWorkspace(id, requesterId, 'manageMembers');
      if (userId === requesterId) throw new HttpError('transfer-required');
      const origin = { requestId: request.id };
      const change = { workspaceId: id, requesterId, userId, origin };
      const member = await members.changeRole(change, request.body.role);
      if (member === null) throw notFound('Member');
      return represent(member);
    },
  );

  server.delete(
    '/api/workspaces/:id/members/:userId',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a collaborator, or leave the workspace',
        description: 'Everyone but the owner can leave with their own id. Access ends at once.',
        tags,
        params: MemberParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id, userId } = request.params;
      const requesterId = accountOf(request).id;
      const permission = userId === requesterId ? 'leave' : 'manageMembers';
      await access.toWorkspace(id, requesterId, permission);
      const origin = { requestId: request.id };
      const change = { workspaceId: id, requesterId, userId, origin };
      if ((await members.remove(change, permission)) === 'missing') throw notFound('Member');
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/api/workspaces/:id/transfer',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'transferWorkspace',
        summary: 'Make another member the owner of the workspace',
        description: 'The owner before becomes an editor. The limits follow the plan of the owner.',
        tags,
        params: IdParams,
        body: TransferWorkspaceBody,
        response: {
          200: Member,
          ...errorResponses(401, 403, 404, 422, 'plan-limit-workspaces', 'plan-limit-storage'),
        },
      },
    },
    async (request) => {
      const { id: workspaceId } = request.params;
      const from = accountOf(request).id;
      const { userId: to } = request.body;
      await access.toWorkspace(workspaceId, from, 'manageMembers');
      const transfer = { workspaceId, from, to, origin: { requestId: request.id } };
      const outcome =
        from === to ? 'transferred' : await transferWorkspace(database, transfer, true);
      if (outcome === 'full') {
        throw new HttpError('plan-limit-workspaces');
      }
      const member = outcome === 'missing' ? null : await members.find(workspaceId, to);
      if (member === null) throw notFound('Member');
      return represent(member);
    },
  );
}
