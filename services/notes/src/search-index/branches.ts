import type { Sql } from '@atrium/service-kit/database';
import { addToIndex, removeFromIndex } from './store.ts';
import type { NoteText } from './analysis.ts';

/** A note, and what its text takes, as the function `text_bytes` of the database has it. */
export interface SizedNote {
  noteId: string;
  bytes: number;
}

/** The limit of one statement, in bytes of text: it ends within its timeout, and few texts are in memory. */
const BATCH_BYTES = 500_000;

/** Raw: the texts of one batch. Templates are not in the index. */
const READ_TEXTS = `
  SELECT id, title, content, tags FROM notes WHERE id = ANY ($1::text[]) AND NOT is_template
  ORDER BY id`;

/** Indexes all notes of a branch, in the transaction that restores or moves them. */
export async function addBranchToIndex(
  sql: Sql,
  workspaceId: string,
  notes: readonly SizedNote[],
): Promise<void> {
  for (const noteIds of batchesOf(notes)) {
    const texts = await sql.query<{ id: string } & NoteText>(READ_TEXTS, [noteIds]);
    await addToIndex(sql, workspaceId, texts);
  }
}

/** Removes all notes of a branch from the index, in the transaction that deletes or moves them. */
export async function removeBranchFromIndex(sql: Sql, notes: readonly SizedNote[]): Promise<void> {
  for (const noteIds of batchesOf(notes)) await removeFromIndex(sql, noteIds);
}

/** Ids of notes whose texts together take no more than a batch, or of one. */
function* batchesOf(notes: readonly SizedNote[]): Generator<string[]> {
  let batch: string[] = [];
  let total = 0;
  for (const { noteId, bytes } of notes) {
    if (batch.length > 0 && total + bytes > BATCH_BYTES) {
      yield batch;
      [batch, total] = [[], 0];
    }
    batch.push(noteId);
    total += bytes;
  }
  if (batch.length > 0) yield batch;
}
