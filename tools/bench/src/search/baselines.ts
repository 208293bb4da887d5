import type { Sql } from '@atrium/service-kit/database';

// What others do with the same notes in the same Postgres: a stored tsvector under a GIN index, ranked
// by ts_rank. Snippets are left out, which favours them.

export async function createBaseline(sql: Sql): Promise<void> {
  await sql.query(`CREATE TABLE baseline (
    id text PRIMARY KEY, workspace_id text NOT NULL, title text NOT NULL, content text NOT NULL,
    search tsvector GENERATED ALWAYS AS (setweight(to_tsvector('english', title), 'A')
      || setweight(to_tsvector('english', content), 'C')) STORED
  )`);
  await sql.query('CREATE INDEX baseline_search ON baseline USING gin (search)');
}

/** Copies the notes of a workspace. */
export async function fillBaseline(sql: Sql, workspaceId: string): Promise<void> {
  await sql.query(
    `INSERT INTO baseline (id, workspace_id, title, content)
     SELECT id, workspace_id, title, content FROM notes WHERE workspace_id = $1`,
    [workspaceId],
  );
  await sql.query('VACUUM ANALYZE baseline');
}

const SEARCH = (query: string) => `
  SELECT id FROM baseline, (SELECT ${query} AS query) AS typed
  WHERE workspace_id = $1 AND search @@ query ORDER BY ts_rank(search, query) DESC, id LIMIT 10`;

const QUERIES = {
  'AND of all words': SEARCH(`plainto_tsquery('english', $2)`),
  'OR with ts_rank': SEARCH(`replace(plainto_tsquery('english', $2)::text, '&', '|')::tsquery`),
};

/** The ids that each baseline finds, the best first. */
export function baselineSearches(
  sql: Sql,
  workspaceId: string,
): Record<keyof typeof QUERIES, (query: string) => Promise<string[]>> {
  const searchBy = (text: string) => async (query: string) => {
    const rows = await sql.query<{ id: string }>(text, [workspaceId, query]);
    return rows.map(({ id }) => id);
  };
  return {
    'AND of all words': searchBy(QUERIES['AND of all words']),
    'OR with ts_rank': searchBy(QUERIES['OR with ts_rank']),
  };
}
