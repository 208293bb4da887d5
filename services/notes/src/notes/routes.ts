import { errorResponses } from '@atrium/contracts/errors';
import { IdParams } from '@atrium/contracts/ids';
import { Page } from '@atrium/contracts/lists';
import {
  ChangeNoteBody,
  CreateNoteBody,
  Note,
  NoteListQuery,
  NoteSummary,
} from '@atrium/contracts/notes/notes';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { TRASH_DAYS } from '@atrium/contracts/notes/trash';
import { VersionParams } from '@atrium/contracts/notes/versions';
import type { AccountGate } from '@atrium/service-kit/account-gate';
import { accountOf } from '@atrium/service-kit/authentication';
import { notFound, validationError } from '@atrium/service-kit/http-error';
import { decodeCursor, readTime, toPage } from '@atrium/service-kit/pagination';
import type { Server } from '@atrium/service-kit/server';
import Type from 'typebox';
import type { AccessChecks } from '../access/checks.ts';
import { isPermitted } from '../access/permissions.ts';
import type { Idempotency, Tx } from '../database.ts';
import { RATE_LIMITS } from '../rate-limits.ts';
import type { BranchTurns } from '../tree/branch-turns.ts';
import type { VersionStore } from '../versions/store.ts';
import { entityTag, readIfMatch } from './entity-tag.ts';
import {
  assertChangeFits,
  assertNoteFits,
  NO_ROOM_CODES,
  NOTE_BODY_LIMIT_BYTES,
  trashFull,
  workspaceFull,
} from './note-size.ts';
import { IfMatch, rejectionOf, requirePrecondition } from './precondition.ts';
import type { NoteRepresentation } from './representation.ts';
import type { NoteListStore, NotePosition, NoteSort } from './list-store.ts';
import type { NoteStore } from './store.ts';
import { saveInTurn } from './text-turns.ts';

const { free, pro } = PLAN_LIMITS;
const CHANGE_CODES = [401, 403, 404, 412, 428, 'plan-limit-size', 'plan-limit-storage'] as const;
/** What a list is sorted by, in the last note of a page. */
const SORT_KEYS = { created: 'createdAt', updated: 'updatedAt', title: 'title' } as const;

function readPosition(cursor: string | undefined, sort: NoteSort): NotePosition | undefined {
  if (cursor === undefined) return undefined;
  const [pinned, text, id] = decodeCursor(cursor, 3);
  if (typeof pinned === 'boolean' && typeof text === 'string' && typeof id === 'string') {
    if (sort === 'title') return { pinned, key: text, id };
    const key = readTime(text);
    if (key !== undefined) return { pinned, key, id };
  }
  throw validationError('Cursor is not valid');
}

export async function noteRoutes(
  server: Server,
  options: {
    notes: NoteStore;
    lists: NoteListStore;
    versions: Pick<VersionStore, 'find'>;
    access: AccessChecks;
    idempotency: Idempotency;
    representation: NoteRepresentation;
    turns: BranchTurns;
    saves: AccountGate;
  },
): Promise<void> {
  const { notes, lists, versions, access, idempotency, turns, saves } = options;
  const { summarize, represent } = options.representation;

  server.post(
    '/api/workspaces/:id/notes',
    {
      bodyLimit: NOTE_BODY_LIMIT_BYTES,
      config: { isIdempotent: true, rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'createNote',
        summary: 'Create a note in a workspace',
        tags: ['Notes'],
        params: IdParams,
        body: CreateNoteBody,
        response: {
          201: Note,
          ...errorResponses(401, 403, 404, 413, 422, 'too-deep', ...NO_ROOM_CODES),
        },
      },
    },
    async (request, reply) => {
      const account = accountOf(request);
      const { title, content = '', tags = [], pinned = false, parentId = null } = request.body;
      const { id } = request.params;
      const workspace = await access.toWorkspace(id, account.id, 'writeNotes');
      assertNoteFits(Buffer.byteLength(content, 'utf8'), workspace.limits);
      const limit = workspace.limits.notesPerWorkspace;
      const input = { title, content, tags, pinned, parentId };
      const create = async (tx: Tx) => {
        const outcome = await notes.create(tx, id, account.id, input, limit);
        if (outcome.kind === 'missing') throw notFound('Workspace');
        if (outcome.kind === 'full') throw workspaceFull(workspace);
        const { note } = outcome;
        return { status: 201, headers: { etag: entityTag(note.version) }, body: represent(note) };
      };
      return saveInTurn(saves, request, content, () => idempotency.create(request, reply, create));
    },
  );

  server.get(
    '/api/workspaces/:id/notes',
    {
      schema: {
        operationId: 'listNotes',
        summary: 'List the notes of a workspace, pinned ones first',
        tags: ['Notes'],
        params: IdParams,
        querystring: NoteListQuery,
        response: { 200: Page(NoteSummary), ...errorResponses(401, 404, 422) },
      },
    },
    async (request) => {
      const { limit, cursor, sort, order, tags = [], match, favourite, shared } = request.query;
      const after = readPosition(cursor, sort);
      const accountId = accountOf(request).id;
      const { workspaceId } = await access.toWorkspace(request.params.id, accountId, 'read');
      const isDescending = (order ?? (sort === 'title' ? 'asc' : 'desc')) === 'desc';
      const filter = { tags, match, favourite, shared };
      const listing = { accountId, workspaceId, sort, isDescending, ...filter };
      const rows = await lists.list(listing, limit + 1, after);
      const page = toPage(rows, limit, (row) => [row.pinned, row[SORT_KEYS[sort]], row.id]);
      return { data: page.data.map(summarize), nextCursor: page.nextCursor };
    },
  );

  server.get(
    '/api/notes/:id',
    {
      schema: {
        operationId: 'getNote',
        summary: 'Get a note',
        tags: ['Notes'],
        params: IdParams,
        response: { 200: Note, ...errorResponses(401, 404) },
      },
    },
    async (request, reply) => {
      const note = await notes.find(request.params.id, accountOf(request).id);
      if (note === null) throw notFound('Note');
      return reply.header('etag', entityTag(note.version)).send(represent(note));
    },
  );

  server.patch(
    '/api/notes/:id',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      bodyLimit: NOTE_BODY_LIMIT_BYTES,
      schema: {
        operationId: 'updateNote',
        summary: 'Change a note',
        tags: ['Notes'],
        description: 'Needs If-Match with the entity tag that was read (or *).',
        params: IdParams,
        headers: IfMatch,
        body: ChangeNoteBody,
        response: { 200: Note, ...errorResponses(...CHANGE_CODES, 413, 422) },
      },
    },
    async (request, reply) => {
      const { id: accountId } = accountOf(request);
      const precondition = requirePrecondition(request.headers['if-match']);
      const { id } = request.params;
      const { limits } = await access.toNote(id, accountId, 'writeNotes');
      const { content } = request.body;
      if (content !== undefined) {
        await assertChangeFits(content, limits, () => notes.find(id, accountId));
      }
      const target = { id, accountId, precondition, origin: { requestId: request.id } };
      const save = () => notes.update(target, request.body);
      const outcome = await saveInTurn(saves, request, content, save);
      if (outcome.kind !== 'updated') throw rejectionOf(outcome);
      return reply.header('etag', entityTag(outcome.note.version)).send(represent(outcome.note));
    },
  );

  server.delete(
    '/api/notes/:id',
    {
      config: { rateLimit: RATE_LIMITS.writes },
      schema: {
        operationId: 'deleteNote',
        summary: 'Move a note to the trash',
        description:
          `All notes below it go with it. It can be restored for ${TRASH_DAYS} days. By the plan of the owner, the trash holds ` +
          `${free.trashedNotes} or ${pro.trashedNotes.toLocaleString('en')} notes that the owner has deleted; ` +
          'one more pushes out the oldest, and more at once are refused. It holds as many that editors have ' +
          'deleted; after that they can delete none until the owner empties it.',
        tags: ['Notes'],
        params: IdParams,
        headers: IfMatch,
        response: { 204: Type.Null(), ...errorResponses(401, 403, 404, 412, 'trash-full') },
      },
    },
    async (request, reply) => {
      const precondition = readIfMatch(request.headers['if-match']);
      const { id } = request.params;
      const accountId = accountOf(request).id;
      const { role, limits } = await access.toNote(id, accountId, 'writeNotes');
      const isTrimmed = isPermitted(role, 'emptyTrash');
      const refuse = () => trashFull(limits, isTrimmed);
      const trash = { limit: limits.trashedNotes, isTrimmed, refuse };
      const target = { id, accountId, precondition, origin: { requestId: request.id } };
      const { kind } = await turns.run(request, id, () => notes.delete(target, trash));
      if (kind !== 'deleted') throw rejectionOf({ kind });
      return reply.code(204).send(null);
    },
  );

  server.post(
    '/api/notes/:id/versions/:versionId/restore',
    {
      config: { rateLimit: RATE_LIMITS.versions },
      schema: {
        operationId: 'restoreVersion',
        summary: 'Give a note the title, content and tags of a version',
        description:
          'As a new version, so that nothing is lost. Needs If-Match with the entity tag that was read (or *).',
        tags: ['Versions'],
        params: VersionParams,
        headers: IfMatch,
        response: { 200: Note, ...errorResponses(...CHANGE_CODES) },
      },
    },
    async (request, reply) => {
      const precondition = requirePrecondition(request.headers['if-match']);
      const { id, versionId } = request.params;
      const accountId = accountOf(request).id;
      const { limits } = await access.toNote(id, accountId, 'writeNotes');
      const version = await versions.find(id, versionId, accountId);
      if (version === null) throw notFound('Version');
      const { title, content, tags } = version;
      await assertChangeFits(content, limits, () => notes.find(id, accountId));
      const target = { id, accountId, precondition, origin: { requestId: request.id } };
      const outcome = await notes.update(target, { title, content, tags }, true);
      if (outcome.kind !== 'updated') throw rejectionOf(outcome);
      const { note } = outcome;
      return reply.header('etag', entityTag(note.version)).send(represent(note));
    },
  );
}
