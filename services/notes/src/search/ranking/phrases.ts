import type { Sql } from '@atrium/service-kit/database';
import { fold, isUnspaced } from '../../search-index/words.ts';
import { type NoteNumber, WANTED_NOTES, wantedNotes } from './note-numbers.ts';
import { yieldTurn } from '../../yield-turn.ts';

/** Notes of which one search reads the text. */
export const PHRASE_NOTES_MAX = 200;
const BATCH = 20;
const CONTENT_UNITS_MAX = 100_000;
/** Units of text that one search reads, counted once for every eight words of each phrase or a part of them. */
const TEXT_UNITS_MAX = 1_000_000;
/** A text that repeats the beginning of a phrase is compared with that at every place. */
const WORDS_AT_ONCE = 8;

/** Raw, as everything on the way of a search. */
const READ = `
  SELECT wanted.index::integer, n.title, n.tags, left(n.content, $3) AS content
  FROM ${WANTED_NOTES} JOIN notes n ON n.id = i.note_id`;

interface TextRow {
  index: number;
  title: string;
  tags: string[];
  content: string;
}

/**
 * Keeps the notes that have every phrase, in their order. Looks at a million characters for all phrases
 * together, at fewer for long ones; `isPartial` when there were more.
 */
export async function filterByPhrases<Note extends NoteNumber>(
  sql: Sql,
  notes: readonly Note[],
  phrases: readonly string[][],
): Promise<{ notes: Note[]; isPartial: boolean }> {
  const expressions: RegExp[] = [];
  for (const phrase of phrases) {
    expressions.push(expressionOf(phrase));
    await yieldTurn();
  }
  const passes = phrases.reduce((sum, words) => sum + Math.ceil(words.length / WORDS_AT_ONCE), 0);
  const kept: Note[] = [];
  let left = TEXT_UNITS_MAX;
  let looked = 0;
  while (looked < notes.length && left > 0) {
    const batch = notes.slice(looked, looked + BATCH);
    const rows = await sql.query<TextRow>(READ, [...wantedNotes(batch), CONTENT_UNITS_MAX]);
    const texts = new Map(rows.map((row) => [row.index, row]));
    for (const [at, note] of batch.entries()) {
      if (left <= 0) break;
      looked += 1;
      const { title = '', tags = [], content = '' } = texts.get(at + 1) ?? {};
      left -= content.length * passes;
      // A long note takes a while, and the searches of others get their turn before it.
      await yieldTurn();
      const parts = [title, ...tags, content].map(fold);
      if (expressions.every((expression) => parts.some((part) => expression.test(part)))) {
        kept.push(note);
      }
    }
  }
  return { notes: kept, isPartial: looked < notes.length };
}

function expressionOf(words: readonly string[]): RegExp {
  const [first = '', ...rest] = words;
  const pattern = rest.reduce(
    (text, word) =>
      `${text}[^\\p{L}\\p{N}\\p{M}]${isUnspaced(word) ? '*' : '+'}${escapeForPattern(word)}`,
    escapeForPattern(first),
  );
  return isUnspaced(pattern)
    ? new RegExp(pattern, 'u')
    : new RegExp(`(?<![\\p{L}\\p{N}\\p{M}])${pattern}(?![\\p{L}\\p{N}\\p{M}])`, 'u');
}

/** Folding makes brackets and dots of some numbers: `⑴` is `(1)`. */
function escapeForPattern(word: string): string {
  return word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
