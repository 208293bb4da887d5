import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { ListQuery, Page } from '@atrium/contracts/lists';
import { Note } from '@atrium/contracts/notes/notes';
import { TRASH_DAYS, TrashedNote, TrashedNoteParams } from '@atrium/contracts/notes/trash';
import { type AccountGate, runBatchesInTurn } from '@atrium/service-kit/account-gate';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import { decodeTimeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import { entityTag } from '../notes/entity-tag.ts';
import { workspaceFull } from '../notes/note-size.ts';
import type { NoteRepresentation } from '../notes/representation.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { BranchTurns } from '../tree/branch-turns.ts';
import type { TrashedNoteRecord, TrashStore } from './store.ts';

const TRASH_MS = TRASH_DAYS * 86_400_000;

function represent({ deletedAt, ...note }: TrashedNoteRecord): TrashedNote {
  const purgedAt = new Date(deletedAt.getTime() + TRASH_MS).toISOString();
  return { ...note, deletedAt: deletedAt.toISOString(), purgedAt };
}

export async function trashRoutes(
  server: Server,
  options: {
    trash: TrashStore;
    access: AccessChecks;
    representation: NoteRepresentation;
    turns: BranchTurns;
    gate: AccountGate;
  },
): Promise<void> {
  const { trash, access, representation, turns, gate } = options;

  async function listPage(
    of: { accountId: string; workspaceId?: string },
    { limit, cursor }: { limit: number; cursor?: string },
  ) {
    const rows = await trash.list(of, limit + 1, decodeTimeCursor(cursor));
    const page = toPage(rows, limit, (row) => [row.deletedAt.toISOString(), row.id]);
    return { data: page.data.map(represent), nextCursor: page.nextCursor };
  }

  server.get(
    '/api/trash',
    {
      schema: {
        operationId: 'listTrashedNotes',
        summary: 'List the deleted notes of all your workspaces, the latest deletion first',
        description: 'Those that were deleted with a note above them are counted there.',
        tags: ['Trash'],
        querystring: ListQuery,
        response: { 200: Page(TrashedNote), ...errorResponses(401, 422) },
      },
    },
    (request) => listPage({ accountId: accountOf(request).id }, request.query),
  );

  server.get(
    '/api/workspaces/:id/trash',
    {
      schema: {
        operationId: 'listTrash',
        summary: 'List the deleted notes of a workspace, the latest deletion first',
        description:
          `A deleted note can be restored for ${TRASH_DAYS} days. Those that were deleted with a note ` +
          'above them are counted there.',
        tags: ['Trash'],
        params: IdParams,
        querystring: ListQuery,
        response: { 200: Page(TrashedNote), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { id: workspaceId } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(workspaceId, accountId, 'read');
      return listPage({ accountId, workspaceId }, request.query);
    },
  );

  server.delete(
    '/api/workspaces/:id/trash',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'emptyTrash',
        summary: 'Delete the notes in the trash of a workspace for good',
        tags: ['Trash'],
        params: IdParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(id, accountId, 'emptyTrash');
      const eraseSome = await trash.beginEmptying(id, accountId);
      await runBatchesInTurn(gate, request, eraseSome);
      return reply.code(204).send(null);
    },
  );

  server.delete(
    '/api/workspaces/:id/trash/:noteId',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'deleteTrashedNote',
        summary: 'Delete a note in the trash for good',
        description: 'With the notes below it that were deleted with it.',
        tags: ['Trash'],
        params: TrashedNoteParams,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404) },
      },
    },
    async (request, reply) => {
      const { id, noteId } = request.params;
      const accountId = accountOf(request).id;
      await access.toWorkspace(id, accountId, 'emptyTrash');
      const erase = () => trash.erase(id, noteId, accountId);
      if (!(await turns.run(request, noteId, erase))) throw notFound('Note');
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/api/notes/:id/restore',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'restoreNote',
        summary: 'Take a note out of the trash',
        description:
          'With the notes below it that were deleted with it. When its parent is not there any more, it has none.',
        tags: ['Trash'],
        params: IdParams,
        response: { 200: Note, ...errorResponses(401, 403, 404, 'plan-limit-notes') },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const accountId = accountOf(request).id;
      const workspace = await access.toTrashedNote(id, accountId, 'writeNotes');
      const limit = workspace.limits.notesPerWorkspace;
      const origin = { requestId: request.id };
      const outcome = await turns.run(request, id, () =>
        trash.restore(origin, id, accountId, limit),
      );
      if (outcome.kind === 'missing') throw notFound('Note');
      if (outcome.kind === 'full') throw workspaceFull(workspace);
      const { note } = outcome;
      return reply.header('etag', entityTag(note.version)).send(representation.represent(note));
    },
  );
}
