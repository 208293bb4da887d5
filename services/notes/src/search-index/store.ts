import type { Sql } from '@atrium/service-kit/database';
import { type AnalysedNote, analyseNote, type NoteText } from './analysis.ts';
import { lengthClass, profileOf } from './entries.ts';
import type { Language } from './languages.ts';
import { yieldTurn } from '../yield-turn.ts';

// Raw SQL throughout: rows of the index are changed in place, and the write of a note is measured.
// Each writer locks the row of search_workspaces first, so that the writers of a workspace wait for each other.

interface IndexedNote {
  number: number;
  noteNumber: number;
  length: number;
  language: Language;
  words: string;
  weights: Buffer;
  languages: Partial<Record<Language, number>>;
}

// The 4 bytes of an entry, as entries.ts describes them: the key of the note, then its end.
const ENTRY_KEY = (noteNumber: string) =>
  `set_byte(set_byte('\\x0000'::bytea, 0, 128 | (${noteNumber} >> 7 & 3)), 1, ${noteNumber} & 127)`;
const ENTRY_END = (index: string, weights: string, lengthClass: string) =>
  `substring(${weights}::bytea, ${index}::integer, 1) || set_byte('\\x00'::bytea, 0, ${lengthClass})`;

/** $1 workspace, then of each note $2 id, $3 language, $4 length, $5 words, $6 their weights, $7 length class, $8 profile */
const ADD = `
  WITH added AS MATERIALIZED (
    SELECT * FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::bytea[], $7::integer[], $8::bytea[])
      WITH ORDINALITY AS t (note_id, language, length, words, weights, length_class, profile, place)
  ), written AS (
    SELECT language, count(*)::integer AS notes, sum(length) AS length FROM added GROUP BY language
  ), workspace AS (
    INSERT INTO search_workspaces AS w (workspace_id, last_note, note_count, total_length, languages)
    SELECT $1, sum(notes), sum(notes), sum(length), jsonb_object_agg(language, notes) FROM written
    ON CONFLICT (workspace_id) DO UPDATE SET last_note = w.last_note + excluded.last_note,
      note_count = w.note_count + excluded.note_count,
      total_length = w.total_length + excluded.total_length,
      languages = w.languages || (
        SELECT jsonb_object_agg(key, value::integer + coalesce((w.languages ->> key)::integer, 0))
        FROM jsonb_each_text(excluded.languages))
    RETURNING number, last_note - cardinality($2)::integer AS former_last
  ), numbered AS (
    SELECT workspace.number, (former_last + place)::integer AS note_number, added.*
    FROM workspace CROSS JOIN added
  ), note AS (
    INSERT INTO search_notes
      (workspace_number, note_number, note_id, language, length, words, weights, profile)
    SELECT number, note_number, note_id, language, length, words, weights, profile FROM numbered
  )
  INSERT INTO search_blocks AS b (workspace_number, word, block, entries)
  SELECT number, word COLLATE "C", note_number >> 9, string_agg(
    ${ENTRY_KEY('note_number')} || ${ENTRY_END('index', 'weights', 'length_class')}, ''::bytea
    ORDER BY note_number DESC)
  FROM numbered CROSS JOIN unnest(string_to_array(words, E'\\n')) WITH ORDINALITY AS t (word, index)
  GROUP BY 1, 2, 3
  ON CONFLICT (workspace_number, word, block) DO UPDATE SET entries = excluded.entries || b.entries`;

const LOCK_WORKSPACE_OF = `
  SELECT number FROM search_workspaces WHERE number IN (
    SELECT workspace_number FROM search_notes WHERE note_id = ANY ($1::text[])
  ) FOR UPDATE`;

/**
 * Each block is rewritten once, however many of the notes are in it: entry by entry only when it loses several.
 * OFFSET 0 keeps that a look-up by primary key.
 */
const REMOVE = `
  WITH removed AS (
    DELETE FROM search_notes WHERE note_id = ANY ($1::text[])
    RETURNING workspace_number, note_number, language, length, words
  ), written AS (
    SELECT workspace_number, language, count(*)::integer AS notes, sum(length) AS length
    FROM removed GROUP BY workspace_number, language
  ), counted AS (
    UPDATE search_workspaces AS w SET note_count = note_count - gone.notes,
      total_length = total_length - gone.length,
      languages = (
        SELECT coalesce(jsonb_object_agg(key, rest) FILTER (WHERE rest > 0), '{}')
        FROM jsonb_each_text(w.languages) CROSS JOIN LATERAL (
          SELECT value::integer - coalesce((gone.languages ->> key)::integer, 0) AS rest
        ) AS t)
    FROM (
      SELECT workspace_number, sum(notes) AS notes, sum(length) AS length,
        jsonb_object_agg(language, notes) AS languages
      FROM written GROUP BY workspace_number
    ) AS gone
    WHERE w.number = gone.workspace_number
  ), cut AS (
    SELECT workspace_number, word COLLATE "C" AS word, note_number >> 9 AS block,
      array_agg(${ENTRY_KEY('note_number')}) AS keys
    FROM removed CROSS JOIN unnest(string_to_array(words, E'\\n')) AS word
    GROUP BY 1, 2, 3
  ), changed AS MATERIALIZED (
    SELECT row_id, CASE
      WHEN cardinality(keys) = 1 AND position(keys[1] IN entries) > 0
        THEN overlay(entries PLACING '' FROM position(keys[1] IN entries) FOR 4)
      ELSE (
        SELECT coalesce(string_agg(substring(entries, at, 4), ''::bytea ORDER BY at), '')
        FROM generate_series(1, length(entries), 4) AS at
        WHERE substring(entries, at, 2) <> ALL (keys)
      ) END AS entries
    FROM cut CROSS JOIN LATERAL (
      SELECT b.ctid AS row_id, b.entries FROM search_blocks AS b
      WHERE b.workspace_number = cut.workspace_number AND b.word = cut.word AND b.block = cut.block
      OFFSET 0
    ) AS found
  ), emptied AS (
    DELETE FROM search_blocks WHERE ctid = ANY (ARRAY(SELECT row_id FROM changed WHERE entries = ''))
  )
  UPDATE search_blocks AS b SET entries = changed.entries
  FROM changed WHERE b.ctid = changed.row_id AND changed.entries <> ''`;

const LOCK_INDEXED = `
  SELECT n.workspace_number AS number, n.note_number AS "noteNumber", n.length, n.language, n.words,
    n.weights, w.languages
  FROM search_notes n JOIN search_workspaces w ON w.number = n.workspace_number
  WHERE n.note_id = $1 FOR UPDATE OF w`;

const COUNT = `
  UPDATE search_workspaces SET total_length = total_length + $2, languages = $3 WHERE number = $1`;

const REPLACE = `
  UPDATE search_notes SET language = $3, length = $4, words = array_to_string($5::text[], E'\\n'),
    weights = $6, profile = $7
  WHERE workspace_number = $1 AND note_number = $2`;

const FIND_BLOCKS = `b.workspace_number = $1 AND b.block = $2::integer >> 9`;
const POSITION = `position(${ENTRY_KEY('$2::integer')} IN b.entries)`;

const ADD_WORDS = `
  INSERT INTO search_blocks AS b (workspace_number, word, block, entries)
  SELECT $1, word, $2::integer >> 9, ${ENTRY_KEY('$2::integer')} || ${ENTRY_END('index', '$4', '$5')}
  FROM unnest($3::text[]) WITH ORDINALITY AS t (word, index)
  ON CONFLICT (workspace_number, word, block) DO UPDATE SET entries = excluded.entries || b.entries`;

const CHANGE_WORDS = `
  UPDATE search_blocks b
  SET entries = overlay(b.entries PLACING ${ENTRY_END('index', '$4', '$5')} FROM ${POSITION} + 2)
  FROM unnest($3::text[]) WITH ORDINALITY AS t (word, index)
  WHERE ${FIND_BLOCKS} AND b.word = t.word AND ${POSITION} > 0`;

const REMOVE_WORDS = `
  WITH emptied AS (
    DELETE FROM search_blocks b
    WHERE ${FIND_BLOCKS} AND b.word = ANY ($3::text[]) AND length(b.entries) = 4
  )
  UPDATE search_blocks b SET entries = overlay(b.entries PLACING '' FROM ${POSITION} FOR 4)
  WHERE ${FIND_BLOCKS} AND b.word = ANY ($3::text[]) AND length(b.entries) > 4 AND ${POSITION} > 0`;

/** Indexes notes of one workspace, in the transaction that creates them, moves them here or restores them. */
export async function addToIndex(
  sql: Sql,
  workspaceId: string,
  notes: readonly ({ id: string } & NoteText)[],
): Promise<void> {
  if (notes.length === 0) return;
  const rows: unknown[][] = [];
  for (const note of notes) {
    const { language, length, weights } = await analyseNote(note);
    const words = [...weights.keys()].toSorted();
    const bytes = weightBytes(weights, words);
    const profile = profileOf(weights);
    rows.push([note.id, language, length, words.join('\n'), bytes, lengthClass(length), profile]);
    await yieldTurn();
  }
  const columns = Array.from({ length: 7 }, (_, column) => rows.map((row) => row[column]));
  await sql.query(ADD, [workspaceId, ...columns]);
}

/** Indexes the new text of a note, in the transaction that changes it and has locked it. */
export async function updateInIndex(sql: Sql, note: { id: string } & NoteText): Promise<void> {
  const after = await analyseNote(note);
  const before = await lockIndexed(sql, note.id);
  if (before === undefined) return;
  const oldWeights = weightsOf(before);
  const isSameClass = lengthClass(before.length) === lengthClass(after.length);
  const words = [...after.weights.keys()].toSorted();
  const added = words.filter((word) => !oldWeights.has(word));
  const changed = words.filter(
    (word) =>
      oldWeights.has(word) && !(isSameClass && oldWeights.get(word) === after.weights.get(word)),
  );
  const removed = [...oldWeights.keys()].filter((word) => !after.weights.has(word));
  const isUnchanged = added.length + changed.length + removed.length === 0;
  if (isUnchanged && before.length === after.length && before.language === after.language) return;

  await count(sql, before, after);
  const { number, noteNumber } = before;
  const { language, length, weights } = after;
  const bytes = weightBytes(weights, words);
  const profile = profileOf(weights);
  await sql.query(REPLACE, [number, noteNumber, language, length, words, bytes, profile]);
  const entries = (some: string[]) => [
    number,
    noteNumber,
    some,
    weightBytes(weights, some),
    lengthClass(length),
  ];
  if (removed.length > 0) await sql.query(REMOVE_WORDS, [number, noteNumber, removed]);
  if (changed.length > 0) await sql.query(CHANGE_WORDS, entries(changed));
  if (added.length > 0) await sql.query(ADD_WORDS, entries(added));
}

/** Removes notes of one workspace, in the transaction that deletes them or moves them away and has locked them. */
export async function removeFromIndex(sql: Sql, noteIds: readonly string[]): Promise<void> {
  // A statement of its own: the next one sees what the writer before has committed.
  await sql.query(LOCK_WORKSPACE_OF, [noteIds]);
  await sql.query(REMOVE, [noteIds]);
}

async function lockIndexed(sql: Sql, noteId: string): Promise<IndexedNote | undefined> {
  const [row] = await sql.query<IndexedNote>(LOCK_INDEXED, [noteId]);
  return row;
}

async function count(sql: Sql, before: IndexedNote, after: AnalysedNote): Promise<void> {
  const languages = { ...before.languages };
  languages[before.language] = (languages[before.language] ?? 1) - 1;
  if (languages[before.language] === 0) delete languages[before.language];
  languages[after.language] = (languages[after.language] ?? 0) + 1;
  await sql.query(COUNT, [before.number, after.length - before.length, languages]);
}

function weightsOf({ words, weights }: IndexedNote): Map<string, number> {
  return new Map(words.split('\n').map((word, index) => [word, weights[index] ?? 1]));
}

function weightBytes(weights: ReadonlyMap<string, number>, words: readonly string[]): Buffer {
  return Buffer.from(words.map((word) => weights.get(word) ?? 1));
}
