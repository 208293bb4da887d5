import type { SearchResult } from '@atrium/contracts/notes';
import type { Database } from '@atrium/service-kit/database';
import { endsInOpenWord } from './open-word.ts';

export interface SearchRequest {
  ownerId: string;
  query: string;
  workspaceId?: string | undefined;
  limit: number;
}

export interface SearchStore {
  /** Best first. Null when the workspace is not one of the owner's. */
  search(request: SearchRequest): Promise<{ results: SearchResult[]; total: number } | null>;
}

/**
 * Normalization 32 maps a rank to rank / (rank + 1), which lies between 0 and 1. `total` counts
 * before the limit cuts. Snippets are made of the few notes that are returned, from text without
 * Markdown's own asterisks, so that every ** in a snippet marks a match; where the words are in the
 * title or the tags only, the snippet is taken from there. Marking costs time in proportion to the
 * text, so it looks at the first 100,000 characters.
 */
const SEARCH = `
  WITH typed AS (SELECT websearch_to_tsquery('simple', $2) AS query),
  wanted AS (
    SELECT CASE WHEN $3::boolean AND right(query::text, 1) = ''''
      THEN (query::text || ':*')::tsquery ELSE query END AS query FROM typed
  ),
  hits AS (
    SELECT notes.id, notes.title, notes.tags, notes.content, notes.updated_at,
      workspaces.id AS workspace_id, workspaces.name AS workspace_name, wanted.query,
      ts_rank(notes.search, wanted.query, 32) AS relevance, count(*) OVER () AS total
    FROM wanted, notes JOIN workspaces ON workspaces.id = notes.workspace_id
    WHERE workspaces.owner_id = $1 AND ($4::text IS NULL OR workspaces.id = $4)
      AND notes.search @@ wanted.query
    ORDER BY relevance DESC, notes.updated_at DESC, notes.id DESC
    LIMIT $5
  )
  SELECT hits.id, hits.title, hits.workspace_id AS "workspaceId",
    hits.workspace_name AS "workspaceName", hits.relevance, hits.total::integer AS total,
    CASE
      WHEN strpos(marked.content, '**') > 0 THEN marked.content
      WHEN strpos(marked.title, '**') > 0 THEN marked.title
      WHEN strpos(marked.tags, '**') > 0 THEN marked.tags
      ELSE marked.content
    END AS snippet
  FROM hits, LATERAL (SELECT
    ts_headline('simple', replace(left(hits.content, 100000), '**', ''), hits.query,
      'StartSel=**, StopSel=**, MinWords=12, MaxWords=30, MaxFragments=2') AS content,
    ts_headline('simple', replace(hits.title, '**', ''), hits.query,
      'StartSel=**, StopSel=**, HighlightAll=true') AS title,
    ts_headline('simple', replace(array_to_string(hits.tags, ', '), '**', ''), hits.query,
      'StartSel=**, StopSel=**, HighlightAll=true') AS tags
  ) AS marked
  ORDER BY hits.relevance DESC, hits.updated_at DESC, hits.id DESC`;

const OWNS_WORKSPACE = 'SELECT 1 FROM workspaces WHERE id = $1 AND owner_id = $2';

export function createSearchStore(database: Database): SearchStore {
  return {
    async search({ ownerId, query, workspaceId, limit }) {
      if (workspaceId !== undefined) {
        const found = await database.query(OWNS_WORKSPACE, [workspaceId, ownerId]);
        if (found.length === 0) return null;
      }
      const values = [ownerId, query, endsInOpenWord(query), workspaceId, limit];
      const rows = await database.query<SearchResult & { total: number }>(SEARCH, values);
      return {
        results: rows.map(({ total: _total, ...result }) => result),
        total: rows[0]?.total ?? 0,
      };
    },
  };
}
