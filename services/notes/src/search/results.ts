import { setImmediate } from 'node:timers/promises';
import type { SearchResult } from '@atrium/contracts/notes';
import type { Sql } from '@atrium/service-kit/database';
import type { ReadableWorkspace } from '../workspaces/readable.ts';
import { beginningOf, type FindMatch, snippetOf } from './snippet.ts';

/** A result without its text. */
export interface RankedNote {
  noteId: string;
  workspace: ReadableWorkspace;
  relevance: number;
}

/** Where a snippet is looked for first. */
const BEGINNING_UNITS = 16_384;
/** Of longer notes that one answer reads to their end when their beginning has no match. */
const WHOLE_NOTES_UNITS_MAX = 1_000_000;

/** Raw: Prisma cannot read a part of a column. */
const READ_BEGINNINGS = `
  SELECT id, title, tags, left(content, ${BEGINNING_UNITS}) AS beginning, length(content) AS length
  FROM notes WHERE id = ANY ($1::text[])`;
const READ_REST = `
  SELECT id, substr(content, ${BEGINNING_UNITS + 1}) AS rest FROM notes WHERE id = ANY ($1::text[])`;

interface NoteRow {
  id: string;
  title: string;
  tags: string[];
  beginning: string;
  length: number;
}

/** Adds titles and snippets. A note that was deleted meanwhile is left out. */
export async function readResults(
  sql: Sql,
  ranked: readonly RankedNote[],
  findMatch: FindMatch,
): Promise<SearchResult[]> {
  const ids = ranked.map(({ noteId }) => noteId);
  const rows = ids.length === 0 ? [] : await sql.query<NoteRow>(READ_BEGINNINGS, [ids]);
  const notes = new Map(rows.map((row) => [row.id, row]));
  const snippets = new Map<string, string | null>();
  for (const { id, beginning } of rows) {
    // The searches of others get their turn.
    await setImmediate();
    snippets.set(id, snippetOf(beginning, findMatch));
  }
  await addLaterSnippets(sql, rows, snippets, findMatch);
  return ranked.flatMap(({ noteId, workspace, relevance }) => {
    const note = notes.get(noteId);
    if (note === undefined) return [];
    const { title, tags, beginning } = note;
    const snippet =
      snippets.get(noteId) ??
      snippetOf(title, findMatch) ??
      snippetOf(tags.join(', '), findMatch) ??
      beginningOf(beginning);
    return [
      {
        id: noteId,
        title,
        snippet,
        workspaceId: workspace.id,
        workspaceName: workspace.name,
        relevance,
      },
    ];
  });
}

/** Looks for snippets in the rest of long notes, as far as the work of one answer allows. */
async function addLaterSnippets(
  sql: Sql,
  rows: readonly NoteRow[],
  snippets: Map<string, string | null>,
  findMatch: FindMatch,
): Promise<void> {
  let left = WHOLE_NOTES_UNITS_MAX;
  const ids: string[] = [];
  for (const { id, length } of rows) {
    if (length <= BEGINNING_UNITS || snippets.get(id) !== null || length > left) continue;
    left -= length;
    ids.push(id);
  }
  if (ids.length === 0) return;
  for (const { id, rest } of await sql.query<{ id: string; rest: string }>(READ_REST, [ids])) {
    for (
      let start = 0;
      start < rest.length && snippets.get(id) === null;
      start += BEGINNING_UNITS
    ) {
      await setImmediate();
      snippets.set(id, snippetOf(rest.slice(start, start + BEGINNING_UNITS), findMatch));
    }
  }
}
