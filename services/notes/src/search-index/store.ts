import type { Sql } from '@atrium/service-kit/database';
import { type AnalysedNote, analyseNote, type NoteText } from './analysis.ts';
import { lengthClass, profileOf } from './entries.ts';
import type { Language } from './languages.ts';

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

const ENTRY_KEY = (noteNumber: string) =>
  `set_byte(set_byte('\\x0000'::bytea, 0, 128 | (${noteNumber} >> 7 & 3)), 1, ${noteNumber} & 127)`;
const ENTRY_END = (index: string, weights: string, lengthClass: string) =>
  `substring(${weights}::bytea, ${index}::integer, 1) || set_byte('\\x00'::bytea, 0, ${lengthClass})`;

/** $1 note, $2 workspace, $3 language, $4 length, $5 words, $6 their weights, $7 length class, $8 profile */
const ADD = `
  WITH workspace AS (
    INSERT INTO search_workspaces AS w (workspace_id, last_note, note_count, total_length, languages)
    VALUES ($2, 1, 1, $4, jsonb_build_object($3::text, 1))
    ON CONFLICT (workspace_id) DO UPDATE SET last_note = w.last_note + 1,
      note_count = w.note_count + 1, total_length = w.total_length + $4,
      languages = w.languages
        || jsonb_build_object($3::text, coalesce((w.languages ->> $3)::integer, 0) + 1)
    RETURNING number, last_note AS note_number
  ), note AS (
    INSERT INTO search_notes
      (workspace_number, note_number, note_id, language, length, words, weights, profile)
    SELECT number, note_number, $1, $3, $4, $5, $6, $8
    FROM workspace
  )
  INSERT INTO search_blocks AS b (workspace_number, word, block, entries)
  SELECT number, word, note_number >> 9,
    ${ENTRY_KEY('note_number')} || ${ENTRY_END('index', '$6', '$7')}
  FROM workspace, unnest(string_to_array($5, E'\\n')) WITH ORDINALITY AS t (word, index)
  ON CONFLICT (workspace_number, word, block) DO UPDATE SET entries = excluded.entries || b.entries`;

const LOCK_INDEXED = `
  SELECT n.workspace_number AS number, n.note_number AS "noteNumber", n.length, n.language, n.words,
    n.weights, w.languages
  FROM search_notes n JOIN search_workspaces w ON w.number = n.workspace_number
  WHERE n.note_id = $1 FOR UPDATE OF w`;

const COUNT = `
  UPDATE search_workspaces SET note_count = note_count + $2, total_length = total_length + $3,
    languages = $4
  WHERE number = $1`;

const REPLACE = `
  UPDATE search_notes SET language = $3, length = $4, words = array_to_string($5::text[], E'\\n'),
    weights = $6, profile = $7
  WHERE workspace_number = $1 AND note_number = $2`;

const DELETE = 'DELETE FROM search_notes WHERE workspace_number = $1 AND note_number = $2';

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

/** Indexes a note, in the transaction that creates it, moves it here or restores it. */
export async function addToIndex(
  sql: Sql,
  note: { id: string; workspaceId: string } & NoteText,
): Promise<void> {
  const { language, length, weights } = await analyseNote(note);
  const words = [...weights.keys()].toSorted();
  await sql.query(ADD, [
    note.id,
    note.workspaceId,
    language,
    length,
    words.join('\n'),
    weightBytes(weights, words),
    lengthClass(length),
    profileOf(weights),
  ]);
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

/** Removes a note from the index, in the transaction that deletes it or moves it away and has locked it. */
export async function removeFromIndex(sql: Sql, noteId: string): Promise<void> {
  const before = await lockIndexed(sql, noteId);
  if (before === undefined) return;
  const { number, noteNumber } = before;
  await count(sql, before, null);
  await sql.query(DELETE, [number, noteNumber]);
  await sql.query(REMOVE_WORDS, [number, noteNumber, [...weightsOf(before).keys()]]);
}

async function lockIndexed(sql: Sql, noteId: string): Promise<IndexedNote | undefined> {
  const [row] = await sql.query<IndexedNote>(LOCK_INDEXED, [noteId]);
  return row;
}

async function count(sql: Sql, before: IndexedNote, after: AnalysedNote | null): Promise<void> {
  const languages = { ...before.languages };
  languages[before.language] = (languages[before.language] ?? 1) - 1;
  if (languages[before.language] === 0) delete languages[before.language];
  if (after !== null) languages[after.language] = (languages[after.language] ?? 0) + 1;
  const notes = after === null ? -1 : 0;
  const length = (after?.length ?? 0) - before.length;
  await sql.query(COUNT, [before.number, notes, length, languages]);
}

function weightsOf({ words, weights }: IndexedNote): Map<string, number> {
  return new Map(words.split('\n').map((word, index) => [word, weights[index] ?? 1]));
}

function weightBytes(weights: ReadonlyMap<string, number>, words: readonly string[]): Buffer {
  return Buffer.from(words.map((word) => weights.get(word) ?? 1));
}
