import type { Sql } from '@atrium/service-kit/database';
import { wordsOf } from '../search-index/words.ts';
import type { QueryWord } from './query.ts';
import { spellingsOf } from './spelling.ts';
import { findTerms, type Term, type Vocabulary } from './vocabulary.ts';

/** A word of the query and what the notes have for it. */
export interface Expansion {
  queryWord: QueryWord;
  terms: Term[];
  /** What the word was corrected to because no note has it. */
  correction: string | null;
}

/** Of the three most frequent corrections of a word. */
const CORRECTION_WEIGHTS = [1, 0.5, 0.5];
/** Each has several hundred spellings to look up; further misspelt words of a query stay as they are. */
const CORRECTED_WORDS_MAX = 8;

/** Raw: measured. The rows of a word grow with the notes that have it, as a measure of how frequent it is. */
const FIND_SPELLINGS = `
  SELECT index, word, sum(length(entries))::integer AS bytes
  FROM unnest($2::integer[], $3::text[]) AS spelling (index, word)
    JOIN search_blocks USING (word)
  WHERE workspace_number = ANY ($1::integer[])
  GROUP BY index, word ORDER BY index, bytes DESC, word`;

/**
 * Corrects words for which nothing was found, each by one letter.
 *
 * @param asTyped what was found for each word
 */
export async function correctWords(
  sql: Sql,
  vocabulary: Vocabulary,
  words: readonly QueryWord[],
  asTyped: readonly Term[][],
): Promise<Expansion[]> {
  const spellings = words
    .map(({ word }, index) => ({ word, index }))
    .filter(({ index }) => asTyped[index]?.length === 0)
    .slice(0, CORRECTED_WORDS_MAX)
    .flatMap(({ word, index }) => spellingsOf(word).map((spelling) => ({ index, spelling })));
  const corrections = await findCorrections(sql, vocabulary.numbers, spellings);
  const forms = await findTerms(
    sql,
    vocabulary,
    corrections.map(({ word }) => ({ word, isPrefix: false })),
  );
  const found = corrections.map((each, at) => ({ ...each, terms: forms[at] ?? [] }));
  return words.map((queryWord, index) => {
    const own = found.filter((each) => each.index === index);
    const [best] = own;
    if (best === undefined) return { queryWord, terms: asTyped[index] ?? [], correction: null };
    const terms = own.flatMap((each, rank) =>
      each.terms.map((term) => ({ ...term, weight: CORRECTION_WEIGHTS[rank] ?? 0 })),
    );
    return { queryWord, terms, correction: best.word };
  });
}

async function findCorrections(
  sql: Sql,
  numbers: readonly number[],
  spellings: { index: number; spelling: string }[],
): Promise<{ index: number; word: string }[]> {
  if (spellings.length === 0) return [];
  const rows = await sql.query<{ index: number; word: string }>(FIND_SPELLINGS, [
    numbers,
    spellings.map(({ index }) => index),
    spellings.map(({ spelling }) => spelling),
  ]);
  const kept = new Map<number, number>();
  return rows.filter(({ index }) => {
    const rank = kept.get(index) ?? 0;
    kept.set(index, rank + 1);
    return rank < CORRECTION_WEIGHTS.length;
  });
}

/** What each corrected word was corrected to. */
export function correctionsOf(expansions: readonly Expansion[]): Map<string, string> {
  return new Map(
    expansions.flatMap(({ queryWord, correction }) =>
      correction === null ? [] : [[queryWord.word, correction] as const],
    ),
  );
}

/** The query with its corrected words; null when there are none. */
export function correctQuery(text: string, expansions: readonly Expansion[]): string | null {
  const corrections = correctionsOf(expansions);
  if (corrections.size === 0) return null;
  let corrected = '';
  let end = 0;
  for (const { word, start, end: past } of wordsOf(text)) {
    corrected += text.slice(end, start) + (corrections.get(word) ?? text.slice(start, past));
    end = past;
  }
  return corrected + text.slice(end);
}
