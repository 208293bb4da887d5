import type { Sql } from '@atrium/service-kit/database';
import { isMarked } from '../search-index/analysis.ts';
import { type Language, languagesOf } from '../search-index/languages.ts';
import type { QueryWord } from './query.ts';

/** A word of the notes that stands for a word of the query. */
export interface Term {
  word: string;
  /** How much an occurrence counts, at most 1. */
  weight: number;
  /** Rows of search_blocks in each workspace, by its number. */
  blocks: Map<number, number>;
}

type Typed = Pick<QueryWord, 'word' | 'isPrefix'>;

/** Where words are looked up, and the languages of the notes there. */
export interface Vocabulary {
  numbers: number[];
  languages: Language[];
}

const TERMS_PER_WORD_MAX = 48;
/** A word that only begins with the last word typed counts less than that word itself. */
const PREFIX_WEIGHT = 0.5;
/**
 * Raw: Prisma cannot say it. Finds the words with the stem of a typed word, or beginning with it. A
 * stemmer changes the end of a word, so only the words that begin like the stem are compared.
 */
const EXPAND = `
  WITH typed AS (
    SELECT index, word, is_prefix, language, search_stem(language, word) AS stem
    FROM unnest($2::integer[], $3::text[], $4::boolean[], $5::text[])
      AS t (index, word, is_prefix, language)
  ), ranges AS (
    SELECT *,
      CASE WHEN language = '' THEN word ELSE left(stem, greatest(3, length(stem) - 1)) END AS first,
      CASE WHEN language = '' AND NOT is_prefix THEN word || E'\\x01'
        WHEN language = '' THEN word || U&'\\+10FFFF'
        ELSE left(stem, greatest(3, length(stem) - 1)) || U&'\\+10FFFF' END AS past
    FROM typed
  )
  SELECT index, found.word, workspace.number, max(found.blocks)::integer AS blocks,
    bool_or(found.word = ranges.word OR language <> '') AS "isForm"
  FROM ranges, unnest($1::integer[]) AS workspace (number), LATERAL (
    SELECT b.word, count(*) AS blocks FROM search_blocks b
    WHERE b.workspace_number = workspace.number AND b.word >= ranges.first AND b.word < ranges.past
    GROUP BY b.word ORDER BY b.word = ranges.word DESC, count(*) DESC, b.word
    LIMIT CASE WHEN ranges.language = '' THEN ${TERMS_PER_WORD_MAX} ELSE 3000 END
  ) AS found
  WHERE language = '' OR search_stem(language, found.word) = ranges.stem
  GROUP BY index, found.word, workspace.number`;

interface FoundRow {
  index: number;
  word: string;
  number: number;
  blocks: number;
  isForm: boolean;
}

/** Finds what the notes have for each word. A tag or a word of a title has no other forms. */
export async function findTerms(
  sql: Sql,
  { numbers, languages }: Vocabulary,
  words: readonly Typed[],
): Promise<Term[][]> {
  if (words.length === 0 || numbers.length === 0) return words.map(() => []);
  const typed = words.flatMap(({ word, isPrefix }, index) => [
    ...formsOf(word).map((form) => ({ index, word: form, isPrefix, language: '' })),
    ...(isMarked(word) ? [] : languagesOf(word, languages)).map((language) => ({
      index,
      word,
      isPrefix: false,
      language,
    })),
  ]);
  const rows = await sql.query<FoundRow>(EXPAND, [
    numbers,
    typed.map(({ index }) => index),
    typed.map(({ word }) => word),
    typed.map(({ isPrefix }) => isPrefix),
    typed.map(({ language }) => language),
  ]);
  const byIndex = Map.groupBy(rows, ({ index }) => index);
  return words.map((_, index) => termsOf(byIndex.get(index) ?? []));
}

function termsOf(rows: FoundRow[]): Term[] {
  const hasForm = rows.some(({ isForm }) => isForm);
  const terms = new Map<string, Term & { total: number }>();
  for (const { word, number, blocks, isForm } of rows) {
    const weight = isForm || !hasForm ? 1 : PREFIX_WEIGHT;
    const term = terms.get(word) ?? { word, weight, blocks: new Map(), total: 0 };
    term.weight = Math.max(term.weight, weight);
    term.blocks.set(number, blocks);
    term.total += blocks;
    terms.set(word, term);
  }
  return [...terms.values()]
    .toSorted((a, b) => b.weight - a.weight || b.total - a.total || (a.word < b.word ? -1 : 1))
    .slice(0, TERMS_PER_WORD_MAX);
}

const JAPANESE_INFLECTION = /^(\p{Script=Han}+)\p{Script=Hiragana}+$/u;
const KOREAN_PARTICLE =
  /^(\p{Script=Hangul}{2,}?)(?:은|는|이|가|을|를|의|에|에서|에게|로|으로|와|과|도|만|까지|부터|처럼|보다|하고)$/u;

/** The word, and what is left of it without an ending that Postgres has no stemmer for. */
function formsOf(word: string): string[] {
  const stem = (JAPANESE_INFLECTION.exec(word) ?? KOREAN_PARTICLE.exec(word))?.[1];
  return stem === undefined ? [word] : [word, stem];
}
