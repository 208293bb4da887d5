import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { type Figures, median } from '../figures.ts';
import { type Account, createNote, type NotesDatabase } from './environment.ts';
import { generateNotes } from './corpus.ts';
import { INSERT_YARDSTICK } from './yardsticks.ts';

const WRITES = 500;

/** The cost of storing a note of a hundred words, beside one under a tsvector with GIN. */
export async function measureWrites(
  { database }: NotesDatabase,
  { workspaceId }: Account,
  run: number,
): Promise<Figures> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (const { title, content } of generateNotes(WRITES, 100, 1000 + run)) {
    const start = performance.now();
    await createNote(database, workspaceId, { title, content });
    const middle = performance.now();
    await database.query(INSERT_YARDSTICK, [newId('note'), workspaceId, title, content]);
    ours.push(middle - start);
    theirs.push(performance.now() - middle);
  }
  return {
    'a note, ms': median(ours),
    'a note under GIN, ms': median(theirs),
    'times as long': median(ours) / median(theirs),
  };
}

const SIZES = `
  SELECT (pg_total_relation_size('search_blocks') + pg_total_relation_size('search_notes'))::float
      / (SELECT count(*) FROM search_notes) AS ours,
    (pg_relation_size('yardstick_search') + (SELECT sum(pg_column_size(search)) FROM yardstick))::float
      / (SELECT count(*) FROM yardstick) AS theirs,
    (SELECT avg(octet_length(title) + octet_length(content)) FROM notes)::float AS text`;

/** Bytes of index for each note. */
export async function measureSizes(sql: Sql): Promise<Figures> {
  const [row] = await sql.query<{ ours: number; theirs: number; text: number }>(SIZES);
  return {
    'bytes of text a note': row?.text ?? NaN,
    'bytes of index a note': row?.ours ?? NaN,
    'bytes of tsvector and GIN a note': row?.theirs ?? NaN,
  };
}
