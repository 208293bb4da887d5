import { createHash } from 'node:crypto';
import { derivedId } from '@atrium/contracts/ids';
import { NOTE_LEVELS_MAX } from '@atrium/contracts/notes/tree';
import { HttpError, notFound } from '@atrium/service-kit/http-error';
import type { AccessChecks } from '../access/checks.ts';
import type { AttachmentStore } from '../attachments/store.ts';
import type { StoreUpload } from '../attachments/upload.ts';
import type { Database, Tx } from '../database.ts';
import type { FileStorage } from '../files/storage.ts';
import type { NoteStore } from '../notes/store.ts';
import {
  type ArchiveContents,
  type ArchivedFile,
  type ArchivedNote,
  NOTE_EXTRA_BYTES,
  readContents,
} from './archive-contents.ts';
import { bytesOf, openArchive, RefusedArchive } from './archive.ts';
import { findKnown, type Known } from './find-known.ts';
import { readNoteFile } from './note-file.ts';
import { linkExported, linkForeign } from './note-links.ts';
import { tagsOf, textOf } from './note-text.ts';
import { sizeOf } from '../storage-use/store.ts';
import { findPath, lockWorkspace } from '../tree/structure.ts';
import type { ImportStore, LeasedImport, Step } from './store.ts';

export interface ImportDeps {
  database: Database;
  storage: FileStorage;
  imports: ImportStore;
  access: AccessChecks;
  notes: Pick<NoteStore, 'create'>;
  storeUpload: StoreUpload;
  attachments: AttachmentStore;
  /** How long an account may import while others wait, once its archive is read (60000). */
  turnMs?: number;
}

const ORIGIN = { job: 'import' };
const TURN_MS = 60_000;
/** Whether others wait, after that. */
const CHECK_EVERY_MS = 1_000;

type Limits = Awaited<ReturnType<AccessChecks['toWorkspace']>>['limits'];

/** One import while it runs. */
interface Run {
  leased: LeasedImport;
  signal: AbortSignal;
  contents: ArchiveContents;
  limits: Limits;
  ids: { notes: Map<string, string>; files: Map<string, string> };
}

/**
 * Imports what is left of an archive. Every note and every file is a step of its own, so that it can be
 * interrupted anywhere: also when the turn of its account is over.
 *
 * @throws RefusedArchive or HttpError when it cannot be imported, LeaseLost when another worker goes on
 */
export async function importArchive(
  deps: ImportDeps,
  leased: LeasedImport,
  signal: AbortSignal,
): Promise<'complete' | 'interrupted'> {
  const { database, storage, imports, access, turnMs = TURN_MS } = deps;
  const { id, workspaceId, accountId, sizeBytes } = leased;
  const { limits } = await access.toWorkspace(workspaceId, accountId, 'writeNotes');
  const bounds = { unpackedMaxBytes: limits.storageBytes, signal };
  const entries = await openArchive(storage, { key: id, sizeBytes }, bounds);
  const notesMax = limits.notesPerWorkspace + limits.trashedNotes;
  const contents = await readContents(entries, signal, notesMax);
  const knownNotes = await findKnown(database, 'notes', workspaceId, sourceIdsOf(contents.notes));
  if (leased.state === 'waiting') {
    const noteCount = await imports.countNotes(workspaceId);
    // Longer ones are skipped later.
    const maxBytes = limits.noteSizeBytes + NOTE_EXTRA_BYTES;
    const added = contents.notes.filter(
      ({ sourceId, entry }) => !knownNotes.has(sourceId) && entry.sizeBytes <= maxBytes,
    );
    assertNotesFit(added.length, noteCount, limits);
    await imports.begin(leased, contents);
  }
  const knownFiles = await findKnown(database, 'files', workspaceId, sourceIdsOf(contents.files));
  const files = new Map([...knownFiles].map(([sourceId, known]) => [sourceId, known.id]));
  const run: Run = {
    leased,
    signal,
    contents,
    limits,
    ids: { notes: noteIds(leased, contents, knownNotes), files },
  };
  let checkAtMs = performance.now() + turnMs;
  for (const item of [...contents.files, ...contents.notes].slice(leased.done)) {
    signal.throwIfAborted();
    if (item.kind === 'file') await importFile(deps, run, item);
    else await importNote(deps, run, item);
    if (performance.now() < checkAtMs) continue;
    if (await imports.isAnyWaiting(leased)) return 'interrupted';
    checkAtMs = performance.now() + Math.min(turnMs, CHECK_EVERY_MS);
  }
  return 'complete';
}

const sourceIdsOf = (archived: readonly { sourceId: string }[]) =>
  archived.map(({ sourceId }) => sourceId);

function assertNotesFit(added: number, noteCount: number, { notesPerWorkspace }: Limits): void {
  if (noteCount + added <= notesPerWorkspace) return;
  throw new RefusedArchive(
    `The archive has ${added} new notes; the plan of the owner allows ${notesPerWorkspace} in a ` +
      `workspace, and this one has ${noteCount}`,
  );
}

/**
 * The ids of all notes, those that are still to be created too: others may link to them. They sort as in
 * the archive, and are the same when the import is resumed.
 */
function noteIds(leased: LeasedImport, { notes }: ArchiveContents, known: Map<string, Known>) {
  const startMs = leased.createdAt.getTime() - notes.length;
  return new Map(
    notes.map(({ sourceId }, index) => {
      const hash = createHash('sha256').update(leased.id).update(sourceId).digest();
      return [sourceId, known.get(sourceId)?.id ?? derivedId('note', startMs + index, hash)];
    }),
  );
}

async function importFile(deps: ImportDeps, run: Run, file: ArchivedFile): Promise<void> {
  const { database, imports, storeUpload, attachments } = deps;
  const { leased, signal, limits, ids } = run;
  const { workspaceId, accountId } = leased;
  const { sourceId, name, entry, path } = file;
  let step: Step = { kind: 'stored' };
  if (!ids.files.has(sourceId)) {
    const content = entry.content();
    const { sizeBytes } = entry;
    const upload = { workspaceId, accountId, name, sourceId, sizeBytes, content, origin: ORIGIN };
    try {
      const id = await storeUpload({ ...upload, signal }, limits);
      if ((await attachments.markStored(database, id, leased)) === null) {
        throw notFound('Workspace');
      }
      ids.files.set(sourceId, id);
    } catch (error) {
      if (!(error instanceof HttpError) || error.status >= 500) throw error;
      step = { kind: 'skipped', path, reason: error.message };
    } finally {
      // What was refused may not have been read to its end.
      await content.return(undefined);
    }
  }
  await imports.record(database, leased, step);
}

async function importNote(deps: ImportDeps, run: Run, archived: ArchivedNote): Promise<void> {
  const { database, imports, notes } = deps;
  const { leased, contents, limits, ids } = run;
  const { workspaceId, accountId } = leased;
  const { sourceId, entry, path } = archived;
  const file = readNoteFile(await bytesOf(entry));
  const { isExport } = contents;
  const { title, content: text } = textOf(file, path, isExport);
  const link = isExport ? linkExported : linkForeign;
  const content = await link(text, path, contents, ids);
  const skip = (reason: string): Step => ({ kind: 'skipped', path, reason });
  const {
    createdAt = file.updatedAt ?? entry.modifiedAt ?? leased.createdAt,
    updatedAt = createdAt,
    pinned,
    isTemplate,
  } = file;
  const origin = { id: ids.notes.get(sourceId) ?? '', sourceId, createdAt, updatedAt };

  await database.transaction(ORIGIN, async (tx) => {
    const create = async (): Promise<Step> => {
      const known = (await findKnown(tx, 'notes', workspaceId, [sourceId])).get(sourceId);
      if (known?.isTrashed === true) return skip('It is in the trash of the workspace');
      if (known !== undefined) return { kind: 'unchanged' };
      if (Buffer.byteLength(content) > limits.noteSizeBytes) {
        return skip(`A note may have at most ${sizeOf(limits.noteSizeBytes)} in this workspace`);
      }
      // Templates have no place in the tree: one below a note would be lost with it.
      const parentId = isTemplate ? null : await parentOf(tx, run, archived);
      const hasParent = parentId !== null;
      const tags = tagsOf(file, path, { isExport, hasParent });
      const input = { title, content, tags, pinned, isTemplate, parentId, origin };
      const limit = limits.notesPerWorkspace;
      const { kind } = await notes.create(tx, workspaceId, accountId, input, limit);
      if (kind === 'missing') throw new RefusedArchive('You can no longer write in the workspace');
      return kind === 'full' ? skip(`The workspace has ${limit} notes, the limit`) : { kind };
    };
    await imports.record(tx, leased, await create());
  });
}

/** Null when the note beside its folder was left out or is a template, or is as deep as notes can be. */
async function parentOf(
  tx: Tx,
  { leased: { workspaceId, accountId }, ids }: Run,
  { parent }: ArchivedNote,
): Promise<string | null> {
  if (parent === undefined) return null;
  const parentId = ids.notes.get(parent.sourceId) ?? '';
  await lockWorkspace(tx, workspaceId, accountId);
  const { length } = await findPath(tx, workspaceId, parentId);
  return length > 0 && length < NOTE_LEVELS_MAX ? parentId : null;
}
