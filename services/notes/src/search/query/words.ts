import type { Sql } from '@atrium/service-kit/database';
import { TITLE_MARK } from '../../search-index/analysis.ts';
import {
  DEFAULT_LANGUAGE,
  detectLanguage,
  isFunctionWord,
  type Language,
} from '../../search-index/languages.ts';
import type { TypedWord } from './query.ts';
import type { Scope } from './scope.ts';

/** A word that makes a note a result. */
export interface QueryWord extends TypedWord {
  /** Whether it is a function word of a language of the notes: the index of a note in it lacks the word. */
  isFunctionWord: boolean;
}

/** The work of a search grows with its words: later ones of a longer query are not read. */
const WORDS_MAX = 32;

/** A query with so many different function words of one language alone is in that language beyond doubt. */
const SENTENCE_WORDS_MIN = 3;

/** Raw, as everything on the way of a search: it is measured. */
const FIND_INDEXED = `
  SELECT word FROM unnest($2::text[]) AS t (word)
  WHERE EXISTS (
    SELECT FROM search_blocks b WHERE workspace_number = ANY ($1::integer[]) AND b.word = t.word
  )`;

/**
 * The words to look for: without the function words of the language of the query, except those that a note
 * in another language has, unless the query is a whole sentence. When there are no other words, they are also
 * looked for in titles, which are indexed with all their words.
 */
export async function chooseWords(
  sql: Sql,
  { workspaces, languages }: Scope,
  typed: readonly TypedWord[],
): Promise<QueryWord[]> {
  const written = [...new Set([...languages.keys(), DEFAULT_LANGUAGE])];
  const words = typed.map((each) => ({
    ...each,
    isFunctionWord: written.some((language) => isFunctionWord(each.word, language)),
  }));
  if (words.every((each) => each.isFunctionWord)) {
    const some = words.slice(0, WORDS_MAX);
    return [...some.map((each) => ({ ...each, word: TITLE_MARK + each.word })), ...some];
  }
  const language = detectLanguage(
    words.map(({ word }) => word),
    written[0],
    written,
  );
  const common = words.map(({ word }) => word).filter((word) => isFunctionWord(word, language));
  const isSentence =
    common.filter((word) =>
      written.every((each) => each === language || !isFunctionWord(word, each)),
    ).length >= SENTENCE_WORDS_MIN;
  const kept = new Set(
    isSentence ? [] : await findIndexed(sql, [...workspaces.keys()], common.slice(0, WORDS_MAX)),
  );
  return words
    .filter(({ word }) => kept.has(word) || !isFunctionWord(word, language))
    .slice(0, WORDS_MAX);
}

/** Those of the words that some note has in its index. */
async function findIndexed(
  sql: Sql,
  numbers: readonly number[],
  words: readonly string[],
): Promise<string[]> {
  if (words.length === 0) return [];
  const rows = await sql.query<{ word: string }>(FIND_INDEXED, [numbers, words]);
  return rows.map(({ word }) => word);
}

/** How many notes have a word as a function word of their language: nearly all of these contain it. */
export function notesWithout(word: string, languages: ReadonlyMap<Language, number>): number {
  let count = 0;
  for (const [language, notes] of languages) if (isFunctionWord(word, language)) count += notes;
  return count;
}
