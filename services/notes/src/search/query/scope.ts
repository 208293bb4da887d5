import type { Sql } from '@atrium/service-kit/database';
import { isLanguage, type Language } from '../../search-index/languages.ts';
import { fold } from '../../search-index/words.ts';
import { findReadableWorkspaces, type ReadableWorkspace } from '../../workspaces/readable.ts';

/** Statistics of the notes that a search looks at. */
export interface Statistics {
  noteCount: number;
  averageLength: number;
}

/** The notes that a search looks at, and their statistics. */
export interface Scope {
  /** By the number that the index has for them. */
  workspaces: Map<number, ReadableWorkspace>;
  /** How many notes are in each, the most frequent first. */
  languages: ReadonlyMap<Language, number>;
  statistics: Statistics;
  isPartial: boolean;
}

/** A search looks into each workspace for each word. */
const WORKSPACES_MAX = 500;

/** Raw, as everything on the way of a search: it is measured. */
const STATISTICS = `
  SELECT workspace_id AS id, number, note_count AS "noteCount", total_length::float AS "totalLength",
    languages
  FROM search_workspaces WHERE workspace_id = ANY ($1::text[])`;

interface StatisticsRow {
  id: string;
  number: number;
  noteCount: number;
  totalLength: number;
  languages: Record<string, number>;
}

/**
 * @param filter.workspaceId only this one
 * @param filter.names folded names or ids, any of which the workspace has; all when empty
 * @returns null when the workspace is not one that the account may read
 */
export async function findScope(
  sql: Sql,
  accountId: string,
  filter: { workspaceId?: string | undefined; names: readonly string[] },
): Promise<Scope | null> {
  const { workspaceId, names } = filter;
  const found = await findReadableWorkspaces(sql, accountId, WORKSPACES_MAX + 1, workspaceId);
  const readable = found.slice(0, WORKSPACES_MAX);
  if (workspaceId !== undefined && readable.length === 0) return null;
  const chosen = readable.filter(
    ({ id, name }) => names.length === 0 || names.includes(fold(name).trim()) || names.includes(id),
  );
  const byId = new Map(chosen.map((workspace) => [workspace.id, workspace]));
  const rows = await sql.query<StatisticsRow>(STATISTICS, [[...byId.keys()]]);
  const workspaces = new Map<number, ReadableWorkspace>();
  const languages = new Map<Language, number>();
  let noteCount = 0;
  let totalLength = 0;
  for (const row of rows) {
    const workspace = byId.get(row.id);
    if (workspace !== undefined) workspaces.set(row.number, workspace);
    for (const [language, count] of Object.entries(row.languages)) {
      if (isLanguage(language)) languages.set(language, (languages.get(language) ?? 0) + count);
    }
    noteCount += row.noteCount;
    totalLength += row.totalLength;
  }
  return {
    workspaces,
    languages: new Map([...languages].toSorted(([, a], [, b]) => b - a)),
    statistics: { noteCount, averageLength: totalLength / Math.max(1, noteCount) },
    isPartial: found.length > WORKSPACES_MAX,
  };
}
