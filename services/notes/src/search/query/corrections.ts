import type { Sql } from '@atrium/service-kit/database';
import { wordsOf } from '../../search-index/words.ts';
import { spellingsOf } from './spelling.ts';
import { findTerms, type Term, type Vocabulary } from './vocabulary.ts';
import type { QueryWord } from './words.ts';

/** A word of the query and what the notes have for it. */
export interface Expansion {
  queryWord: QueryWord;
  terms: Term[];
  /** What the word was corrected to because no note has it. */
  correction: string | null;
}

/** The weights of the three most frequent corrections of a word. */
const CORRECTION_WEIGHTS = [1, 0.5, 0.5];
/** Each has several hundred spellings to look up; further misspelt words of a query stay as they are. */
const CORRECTED_WORDS_MAX = 8;

/** Index rows of one search in which corrections are looked up. */
const ROWS_MAX = 10_000;

/**
 * Raw: measured. One scan of the index for all spellings in all workspaces, which reads no page of it
 * twice. The entries of a word measure how frequent it is.
 */
const FIND_SPELLINGS = `
  SELECT word, sum(length(entries))::integer AS bytes FROM (
    SELECT word, entries FROM search_blocks
    WHERE workspace_number = ANY ($1::integer[]) AND word = ANY ($2::text[]) LIMIT ${ROWS_MAX}
  ) AS found GROUP BY word ORDER BY bytes DESC, word`;

/**
 * Corrects words for which nothing was found, each by one letter. Function words are spelt rightly.
 *
 * @param asTyped what was found for each word
 */
export async function correctWords(
  sql: Sql,
  vocabulary: Vocabulary,
  words: readonly QueryWord[],
  asTyped: readonly Term[][],
): Promise<{ expansions: Expansion[]; isPartial: boolean }> {
  const misspelt = words
    .filter((word, index) => !word.isFunctionWord && asTyped[index]?.length === 0)
    .slice(0, CORRECTED_WORDS_MAX);
  const corrections = await findCorrections(sql, vocabulary.numbers, misspelt);
  const forms = await findTerms(
    sql,
    vocabulary,
    corrections.map(({ correction }) => ({ word: correction, isPrefix: false })),
  );
  const expansions = words.map((queryWord, index) => {
    const own = corrections.flatMap(({ word, correction }, at) =>
      word === queryWord.word ? [{ correction, terms: forms.terms[at] ?? [] }] : [],
    );
    const [best] = own;
    if (best === undefined) return { queryWord, terms: asTyped[index] ?? [], correction: null };
    const terms = own.flatMap((each, rank) =>
      each.terms.map((term) => ({ ...term, weight: CORRECTION_WEIGHTS[rank] ?? 0 })),
    );
    return { queryWord, terms, correction: best.correction };
  });
  return { expansions, isPartial: forms.isPartial };
}

/** The most frequent corrections of each word, the best first. */
async function findCorrections(
  sql: Sql,
  numbers: readonly number[],
  misspelt: readonly QueryWord[],
): Promise<{ word: string; correction: string }[]> {
  const spellings = misspelt.map(({ word }) => ({ word, spellings: new Set(spellingsOf(word)) }));
  const all = [...new Set(spellings.flatMap((each) => [...each.spellings]))];
  if (all.length === 0) return [];
  const found = await sql.query<{ word: string }>(FIND_SPELLINGS, [numbers, all]);
  return spellings.flatMap((each) =>
    found
      .filter(({ word }) => each.spellings.has(word))
      .slice(0, CORRECTION_WEIGHTS.length)
      .map(({ word }) => ({ word: each.word, correction: word })),
  );
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
