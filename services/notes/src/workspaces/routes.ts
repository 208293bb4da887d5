import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { ChangeWorkspaceBody, CreateWorkspaceBody, Workspace } from '@atrium/contracts/notes/notes';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import type { Idempotency } from '../database.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { representWorkspace } from './representation.ts';
import type { WorkspaceStore } from './store.ts';

export async function workspaceRoutes(
  server: Server,
  options: {
    workspaces: WorkspaceStore;
    access: AccessChecks;
    idempotency: Idempotency;
  },
): Promise<void> {
  const { workspaces, access, idempotency } = options;

  server.post(
    '/api/workspaces',
    {
      config: { isIdempotent: true, rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'createWorkspace',
        summary: 'Create a workspace',
        tags: ['Workspaces'],
        body: CreateWorkspaceBody,
        response: { 201: Workspace, ...errorResponses(401, 422, 'plan-limit-workspaces') },
      },
    },
    (request, reply) => {
      const account = accountOf(request);
      const { name, description = '' } = request.body;
      return idempotency.create(request, reply, async (tx) => {
        const workspace = await workspaces.create(tx, account, { name, description });
        return { status: 201, body: representWorkspace(workspace) };
      });
    },
  );

  server.get(
    '/api/workspaces',
    {
      schema: {
        operationId: 'listWorkspaces',
        summary: 'List your workspaces, newest first',
        description: 'Those that you own and those that are shared with you.',
        tags: ['Workspaces'],
        querystring: ListQuery,
        response: { 200: Page(Workspace), ...errorResponses(401, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await workspaces.list(accountOf(request).id, limit + 1, decodeIdCursor(cursor));
      const page = toPage(rows, limit, (row) => [row.id]);
      return { data: page.data.map(representWorkspace), nextCursor: page.nextCursor };
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
      const workspace = await workspaces.find(request.params.id, accountOf(request).id);
      if (workspace === null) throw notFound('Workspace');
      return representWorkspace(workspace);
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
        response: { 200: Workspace, ...errorResponses(401, 403, 404, 422) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(id, accountId, 'manageWorkspace');
      await workspaces.update({ requestId: request.id }, id, accountId, request.body);
      const workspace = await workspaces.find(id, accountId);
      if (workspace === null) throw notFound('Workspace');
      return representWorkspace(workspace);
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
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(id, accountId, 'manageWorkspace');
      const outcome = await workspaces.delete(id, accountId);
      if (outcome === 'missing') throw notFound('Workspace');
      return reply.code(204).send(null);
    },
  );
}
