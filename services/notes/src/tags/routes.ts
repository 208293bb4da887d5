import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { RenameTagBody, Tag, TagParams } from '@atrium/contracts/notes/tags';
import { accountOf } from '@atrium/service-kit/authentication';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import { decodeIdCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import { type AccountGate, runBatchesInTurn } from '@atrium/service-kit/account-gate';
import type { AccessChecks } from '../access/checks.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { TagStore } from './store.ts';

export async function tagRoutes(
  server: Server,
  options: { tags: TagStore; access: AccessChecks; gate: AccountGate },
): Promise<void> {
  const { tags, access, gate } = options;

  server.get(
    '/api/workspaces/:id/tags',
    {
      schema: {
        operationId: 'listTags',
        summary: 'List the tags of a workspace by name, with the number of their notes',
        tags: ['Tags'],
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(Tag), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const after = decodeIdCursor(cursor);
      const { id } = request.params;
      await access.toWorkspace(id, accountOf(request).id, 'read');
      const rows = await tags.list(id, limit + 1, after);
      return toPage(rows, limit, ({ name }) => [name]);
    },
  );

  server.patch(
    '/api/workspaces/:id/tags/:tag',
    {
      config: { rateLimit: RATE_LIMITS.tagChanges },
      schema: {
        operationId: 'renameTag',
        summary: 'Rename a tag in every note of a workspace, or merge it into another tag',
        description:
          'Templates and notes in the trash follow. Each note gets a new entity tag; its time of change stays. Takes a few ' +
          'milliseconds a note, and goes on when the connection ends.',
        tags: ['Tags'],
        params: TagParams,
        body: RenameTagBody,
        response: { 200: Tag, ...errorResponses(401, 403, 404, 422, 'tag-taken') },
      },
    },
    async (request) => {
      const { id: workspaceId, tag } = request.params;
      const { name, merge = false } = request.body;
      const accountId = accountOf(request).id;
      await access.toWorkspace(workspaceId, accountId, 'writeNotes');
      const named = await tags.find(workspaceId, name);
      if (name === tag) {
        if (named.noteCount === 0) throw notFound('Tag');
        return named;
      }
      if (named.noteCount > 0 && !merge) {
        throw new HttpError('tag-taken');
      }
      const change = { workspaceId, accountId, tag, origin: { requestId: request.id } };
      const changed = await runBatchesInTurn(gate, request, tags.beginReplacing(change, name));
      if (changed === 0) throw notFound('Tag');
      return tags.find(workspaceId, name);
    },
  );

  server.delete(
    '/api/workspaces/:id/tags/:tag',
    {
      config: { rateLimit: RATE_LIMITS.tagChanges },
      schema: {
        operationId: 'deleteTag',
        summary: 'Remove a tag from every note of a workspace',
        tags: ['Tags'],
        params: TagParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id: workspaceId, tag } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(workspaceId, accountId, 'writeNotes');
      const change = { workspaceId, accountId, tag, origin: { requestId: request.id } };
      const changed = await runBatchesInTurn(gate, request, tags.beginReplacing(change, null));
      if (changed === 0) throw notFound('Tag');
      return reply.code(204).send(null);
    },
  );
}
