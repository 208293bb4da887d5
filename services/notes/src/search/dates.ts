import type { Sql } from '@atrium/service-kit/database';
import type { Query } from './query.ts';
import type { Match, NoteNumber } from './scoring.ts';

/** Notes of which one search reads the dates: 5 µs each. */
export const DATED_NOTES_MAX = 5000;

/** Raw, as everything on the way of a search: it is measured. */
const FIND_NEWEST = `
  SELECT number, newest.note_number AS "noteNumber"
  FROM unnest($1::integer[]) AS number, LATERAL (
    SELECT note_number FROM search_notes WHERE workspace_number = number
    ORDER BY note_number DESC LIMIT ${DATED_NOTES_MAX}
  ) AS newest LIMIT ${DATED_NOTES_MAX}`;

/** The newest notes of each workspace, as many in all as a search may read. */
export function findNewest(sql: Sql, numbers: readonly number[]): Promise<NoteNumber[]> {
  return sql.query<NoteNumber>(FIND_NEWEST, [numbers]);
}

const FILTER = `
  SELECT wanted.index::integer
  FROM unnest($1::integer[], $2::integer[]) WITH ORDINALITY AS wanted (number, note_number, index)
    JOIN search_notes i ON i.workspace_number = wanted.number AND i.note_number = wanted.note_number
    JOIN notes n ON n.id = i.note_id
  WHERE ($3::timestamptz IS NULL OR n.updated_at >= $3)
    AND ($4::timestamptz IS NULL OR n.updated_at < $4)
  ORDER BY n.id DESC`;

/** Those that were updated in the time of the query, the newest first. */
export async function filterByDate(
  sql: Sql,
  matches: readonly Match[],
  { updatedFrom, updatedBefore }: Query,
): Promise<Match[]> {
  const rows = await sql.query<{ index: number }>(FILTER, [
    matches.map(({ number }) => number),
    matches.map(({ noteNumber }) => noteNumber),
    updatedFrom,
    updatedBefore,
  ]);
  return rows.flatMap(({ index }) => matches[index - 1] ?? []);
}
