import type { SearchResult } from '@atrium/contracts/notes/search';
import type { Sql } from '@atrium/service-kit/database';
import type { ReadableWorkspace } from '../workspaces/readable.ts';
import { beginningOf, type FindMatch, snippetOf } from '../search-index/snippet.ts';
import { yieldTurn } from '../yield-turn.ts';

/** A result without its text. */
export interface RankedNote {
  noteId: string;
  workspace: ReadableWorkspace;
  relevance: number;
}

/** Where a snippet is looked for first; less of each note when the answer has many. */
const BEGINNING_UNITS_MAX = 16_384;
const BEGINNINGS_UNITS_MAX = 250_000;
/** Units of longer notes that one answer reads to their end when their beginning has no match. */
const REST_UNITS_MAX = 500_000;

/** Raw: Prisma cannot read a part of a column. */
const READ_BEGINNINGS = `
  SELECT id, workspace_id AS "workspaceId", title, tags, left(content, $2) AS beginning,
    length(content) AS length
  FROM notes WHERE id = ANY ($1::text[]) AND deleted_at IS NULL`;
const READ_REST = `
  SELECT id, substr(content, $2::integer + 1) AS rest FROM notes WHERE id = ANY ($1::text[])`;

interface NoteRow {
  id: string;
  workspaceId: string;
  title: string;
  tags: string[];
  beginning: string;
  length: number;
}

/** Adds titles and snippets. A note that was deleted or moved meanwhile is left out. */
export async function readResults(
  sql: Sql,
  ranked: readonly RankedNote[],
  findMatch: FindMatch,
): Promise<SearchResult[]> {
  const ids = ranked.map(({ noteId }) => noteId);
  if (ids.length === 0) return [];
  const units = Math.min(BEGINNING_UNITS_MAX, Math.floor(BEGINNINGS_UNITS_MAX / ids.length));
  const rows = await sql.query<NoteRow>(READ_BEGINNINGS, [ids, units]);
  const notes = new Map(rows.map((row) => [row.id, row]));
  const snippets = new Map<string, string | null>();
  for (const { id, beginning } of rows) {
    // The searches of others get their turn.
    await yieldTurn();
    snippets.set(id, snippetOf(beginning, findMatch));
  }
  const unmatched = rows.filter(({ id }) => snippets.get(id) === null);
  const later = await findLaterSnippets(sql, unmatched, units, findMatch);
  return ranked.flatMap(({ noteId, workspace, relevance }) => {
    const note = notes.get(noteId);
    if (note?.workspaceId !== workspace.id) return [];
    const { title, tags, beginning } = note;
    const snippet =
      snippets.get(noteId) ??
      later.get(noteId) ??
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
async function findLaterSnippets(
  sql: Sql,
  notes: readonly NoteRow[],
  units: number,
  findMatch: FindMatch,
): Promise<Map<string, string>> {
  const snippets = new Map<string, string>();
  let left = REST_UNITS_MAX;
  const ids = notes.flatMap(({ id, length }) => {
    if (length <= units || length > left) return [];
    left -= length;
    return [id];
  });
  if (ids.length === 0) return snippets;
  const rows = await sql.query<{ id: string; rest: string }>(READ_REST, [ids, units]);
  for (const { id, rest } of rows) {
    for (let start = 0; start < rest.length; start += BEGINNING_UNITS_MAX) {
      await yieldTurn();
      const snippet = snippetOf(rest.slice(start, start + BEGINNING_UNITS_MAX), findMatch);
      if (snippet === null) continue;
      snippets.set(id, snippet);
      break;
    }
  }
  return snippets;
}
