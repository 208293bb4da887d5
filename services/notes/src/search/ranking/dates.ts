import type { Sql } from '@atrium/service-kit/database';
import { WANTED_NOTES, wantedNotes } from './note-numbers.ts';
import type { Query } from '../query/query.ts';
import type { Match } from './scoring.ts';

/** Notes of which one search reads the dates: 5 µs each. */
export const DATED_NOTES_MAX = 5000;

interface NewestNotes {
  number: number;
  noteNumbers: number[];
}

/** Raw, as everything on the way of a search: it is measured. One row holds many notes, as rows take time. */
const FIND_NEWEST = `
  SELECT number, array_agg("noteNumber") AS "noteNumbers" FROM (
    SELECT number, newest.note_number AS "noteNumber"
    FROM unnest($1::integer[]) AS number, LATERAL (
      SELECT note_number FROM search_notes WHERE workspace_number = number
      ORDER BY note_number DESC LIMIT ${DATED_NOTES_MAX}
    ) AS newest LIMIT ${DATED_NOTES_MAX}
  ) AS found GROUP BY number`;

/** The newest notes of each workspace, as many in all as a search may read. */
export function findNewest(sql: Sql, numbers: readonly number[]): Promise<NewestNotes[]> {
  return sql.query<NewestNotes>(FIND_NEWEST, [numbers]);
}

const FILTER = `
  SELECT array_agg(wanted.index::integer ORDER BY n.id DESC) AS indexes
  FROM ${WANTED_NOTES} JOIN notes n ON n.id = i.note_id
  WHERE ($3::timestamptz IS NULL OR n.updated_at >= $3)
    AND ($4::timestamptz IS NULL OR n.updated_at < $4)`;

/** Matches that were updated in the time of the query, the newest first. */
export async function filterByDate(
  sql: Sql,
  matches: readonly Match[],
  { updatedFrom, updatedBefore }: Query,
): Promise<Match[]> {
  const [row] = await sql.query<{ indexes: number[] | null }>(FILTER, [
    ...wantedNotes(matches),
    updatedFrom,
    updatedBefore,
  ]);
  return (row?.indexes ?? []).flatMap((index) => matches[index - 1] ?? []);
}
