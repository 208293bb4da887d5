import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import {
  ChangeWorkspaceBody,
  CreateWorkspaceBody,
  PLAN_LIMITS,
  Workspace,
} from '@atrium/contracts/notes';
import { accountOf } from '@atrium/service-kit/authentication';
import type { Sql } from '@atrium/service-kit/database';
import type { Idempotency } from '@atrium/service-kit/idempotency';
import { notFound, planLimitExceeded } from '@atrium/service-kit/http-error';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { WorkspaceRecord, WorkspaceStore } from './store.ts';

function represent(workspace: WorkspaceRecord): Workspace {
  return { ...workspace, createdAt: workspace.createdAt.toISOString() };
}

export async function workspaceRoutes(
  server: Server,
  { workspaces, idempotency }: { workspaces: WorkspaceStore; idempotency: Idempotency<Sql> },
): Promise<void> {
  server.post(
    '/api/workspaces',
    {
      config: { isIdempotent: true, rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'createWorkspace',
        summary: 'Create a workspace',
        tags: ['Workspaces'],
        body: CreateWorkspaceBody,
        response: { 201: Workspace, ...errorResponses(401, 403, 422) },
      },
    },
    (request, reply) => {
      const account = accountOf(request);
      const { name, description = '' } = request.body;
      const limit = PLAN_LIMITS[account.plan].workspaces;
      return idempotency.create(request, reply, async (tx) => {
        const workspace = await workspaces.create(tx, account.id, { name, description }, limit);
        if (workspace === null) throw planLimitExceeded(`Your plan allows ${limit} workspaces`);
        return { status: 201, body: represent(workspace) };
      });
    },
  );

  server.get(
    '/api/workspaces',
    {
      schema: {
        operationId: 'listWorkspaces',
        summary: 'List your workspaces, newest first',
        tags: ['Workspaces'],
        querystring: ListQuery,
        response: { 200: Page(Workspace), ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const [beforeId] = cursor === undefined ? [] : decodeCursor(cursor, 1);
      const rows = await workspaces.listOwned(
        accountOf(request).id,
        limit + 1,
        beforeId === undefined ? undefined : String(beforeId),
      );
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(represent), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/workspaces/:id',
    {
      schema: {
        operationId: 'getWorkspace',
        summary: 'Get a workspace',
        tags: ['Workspaces'],
        params: IdParams,
        response: { 200: Workspace, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const workspace = await workspaces.findOwned(request.params.id, accountOf(request).id);
      if (workspace === null) throw notFound('Workspace');
      return represent(workspace);
    },
  );

  server.patch(
    '/api/workspaces/:id',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'updateWorkspace',
        summary: 'Change the name or description of a workspace',
        tags: ['Workspaces'],
        params: IdParams,
        body: ChangeWorkspaceBody,
        response: { 200: Workspace, ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const workspace = await workspaces.updateOwned(id, accountOf(request).id, request.body);
      if (workspace === null) throw notFound('Workspace');
      return represent(workspace);
    },
  );

  server.delete(
    '/api/workspaces/:id',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'deleteWorkspace',
        summary: 'Delete a workspace and its notes',
        tags: ['Workspaces'],
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const outcome = await workspaces.deleteOwned(request.params.id, accountOf(request).id);
      if (outcome === 'missing') throw notFound('Workspace');
      return reply.code(204).send(null);
    },
  );
}
