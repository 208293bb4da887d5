import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Page } from '@atrium/contracts/lists';
import {
  NOTE_LEVELS_MAX,
  NoteParents,
  PlaceNoteBody,
  TreeNote,
  TreeQuery,
} from '@atrium/contracts/notes/tree';
import { accountOf } from '@atrium/service-kit/authentication';
import { validationError } from '@atrium/service-kit/http-error';
import { decodeCursor, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import type { AccessChecks } from '../access/checks.ts';
import type { Database } from '../database.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { placeNote } from './place.ts';
import type { TreePosition, TreeStore } from './store.ts';

const tags = ['Notes'];

function readPosition(cursor: string | undefined): TreePosition | undefined {
  if (cursor === undefined) return undefined;
  const [position, id] = decodeCursor(cursor, 2);
  if (typeof position === 'number' && typeof id === 'string') return { position, id };
  throw validationError('Cursor is not valid');
}

export async function treeRoutes(
  server: Server,
  options: { database: Database; tree: TreeStore; access: AccessChecks },
): Promise<void> {
  const { database, tree, access } = options;

  server.get(
    '/api/workspaces/:id/tree',
    {
      schema: {
        operationId: 'listTree',
        summary: 'List one level of the tree of a workspace, in the order of its notes',
        description:
          'The notes without a parent, or the children of one. Templates and notes in the trash are left out.',
        tags,
        params: IdParams,
        querystring: TreeQuery,
        response: { 200: Page(TreeNote), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor, parentId } = request.query;
      const after = readPosition(cursor);
      const accountId = accountOf(request).id;
      const { workspaceId } = await access.toWorkspace(request.params.id, accountId, 'read');
      const rows = await tree.list(workspaceId, parentId, limit + 1, after);
      return toPage(rows, limit, (row) => [row.position, row.id]);
    },
  );

  server.get(
    '/api/notes/:id/parents',
    {
      schema: {
        operationId: 'listParents',
        summary: 'List the notes above a note, from the first level on',
        tags,
        params: IdParams,
        response: { 200: NoteParents, ...errorResponses(401, 404) },
      },
    },
    async (request) => {
      const { id } = request.params;
      const { workspaceId } = await access.toNote(id, accountOf(request).id, 'read');
      return { data: await tree.parents(workspaceId, id) };
    },
  );

  server.post(
    '/api/notes/:id/place',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'placeNote',
        summary: 'Put a note below another of its workspace, or elsewhere among its siblings',
        description:
          `The notes below it go with it. A tree has at most ${NOTE_LEVELS_MAX} levels. The entity tag of the note ` +
          'stays the same.',
        tags,
        params: IdParams,
        body: PlaceNoteBody,
        response: {
          200: TreeNote,
          ...errorResponses(401, 403, 404, 422, 'too-deep', 'parent-is-below'),
        },
      },
    },
    async (request) => {
      const { id: noteId } = request.params;
      const accountId = accountOf(request).id;
      await access.toNote(noteId, accountId, 'writeNotes');
      const origin = { requestId: request.id };
      const { parentId, after } = request.body;
      return placeNote(database, { noteId, accountId, parentId, after, origin });
    },
  );
}
