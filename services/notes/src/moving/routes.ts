import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { CopyNoteBody, MoveNoteBody } from '@atrium/contracts/notes/moving';
import { Note } from '@atrium/contracts/notes/notes';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound } from '@atrium/service-kit/http-error';
import type { Server } from '@atrium/service-kit/server';
import { type AccountGate, runInTurn } from '@atrium/service-kit/account-gate';
import type { AccessChecks } from '../access/checks.ts';
import type { Database, Idempotency } from '../database.ts';
import { entityTag, readIfMatch } from '../notes/entity-tag.ts';
import { NO_ROOM_CODES } from '../notes/note-size.ts';
import { IfMatch } from '../notes/precondition.ts';
import type { NoteRepresentation } from '../notes/representation.ts';
import { type NoteRecord, type NoteStore, readNote } from '../notes/store.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import { copyNote } from './copy.ts';
import { moveNote } from './move.ts';

const tags = ['Notes'];

export async function movingRoutes(
  server: Server,
  options: {
    database: Database;
    notes: NoteStore;
    access: AccessChecks;
    idempotency: Idempotency;
    representation: NoteRepresentation;
    gate: AccountGate;
  },
): Promise<void> {
  const { database, notes, access, idempotency, representation, gate } = options;

  function answerWith(note: NoteRecord | null) {
    if (note === null) throw notFound('Note');
    const headers = { etag: entityTag(note.version) };
    return { status: 201, headers, body: representation.represent(note) };
  }

  server.post(
    '/api/notes/:id/move',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'moveNote',
        summary: 'Move a note to another workspace',
        description:
          'The notes below it, its versions, its files and its public link go with it. Needs the right to write in both ' +
          'workspaces; only the owner can move a note to a workspace of another owner. A note that is there ' +
          'already stays as it is.',
        tags,
        params: IdParams,
        headers: IfMatch,
        body: MoveNoteBody,
        response: {
          200: Note,
          ...errorResponses(401, 403, 404, 412, 422, 'owner-only', ...NO_ROOM_CODES),
        },
      },
    },
    async (request, reply) => {
      const { id: noteId } = request.params;
      const precondition = readIfMatch(request.headers['if-match']);
      const accountId = accountOf(request).id;
      const { workspaceId: from } = await access.toNote(noteId, accountId, 'writeNotes');
      const to = await access.toWorkspace(request.body.workspaceId, accountId, 'writeNotes');
      const move = { noteId, accountId, from, to, precondition, origin: { requestId: request.id } };
      const note =
        from === to.workspaceId
          ? await notes.find(noteId, accountId)
          : await runInTurn(gate, request, () => moveNote(database, move));
      if (note === null) throw notFound('Note');
      return reply.header('etag', entityTag(note.version)).send(representation.represent(note));
    },
  );

  server.post(
    '/api/notes/:id/copy',
    {
      config: {
        isIdempotent: true,
        repeat: async (sql, id, accountId) => answerWith(await readNote(sql, id, accountId)),
        rateLimit: RATE_LIMITS.writes,
      },
      schema: {
        operationId: 'copyNote',
        summary: 'Copy a note, also as a template or from one',
        description:
          'The copy has the text, the tags and the files of the note, and in the same workspace its parent. It is ' +
          'private, and its history begins anew.',
        tags,
        params: IdParams,
        body: CopyNoteBody,
        response: { 201: Note, ...errorResponses(401, 403, 404, 422, ...NO_ROOM_CODES) },
      },
    },
    async (request, reply) => {
      const { id: noteId } = request.params;
      const accountId = accountOf(request).id;
      const { workspaceId, isTemplate = false } = request.body;
      const { workspaceId: from } = await access.toNote(noteId, accountId, 'read');
      const to = await access.toWorkspace(workspaceId ?? from, accountId, 'writeNotes');
      return idempotency.create(request, reply, async (tx) => {
        const note = await copyNote(tx, notes, { noteId, accountId, to, isTemplate });
        return answerWith(note);
      });
    },
  );
}
