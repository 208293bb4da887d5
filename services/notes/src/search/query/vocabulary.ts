import type { Sql } from '@atrium/service-kit/database';
import { isMarked } from '../../search-index/analysis.ts';
import { type Language, languagesOf } from '../../search-index/languages.ts';
import type { TypedWord } from './query.ts';

/** A word of the notes that stands for a word of the query. */
export interface Term {
  word: string;
  /** How much an occurrence counts, at most 1. */
  weight: number;
  /** Rows of search_blocks in each workspace, by its number, and in all of them. */
  blocks: Map<number, number>;
  rows: number;
}

/** Where words are looked up, and the languages of the notes there. */
export interface Vocabulary {
  numbers: number[];
  languages: Language[];
}

export interface FoundTerms {
  /** The terms of each word in turn. */
  terms: Term[][];
  /** Whether there was more to read than one search may. */
  isPartial: boolean;
}

type Typed = Pick<TypedWord, 'word' | 'isPrefix'>;

const TERMS_PER_WORD_MAX = 48;
/** A word that only begins with the last word typed counts less than that word itself. */
const PREFIX_WEIGHT = 0.5;
/** Index rows that one search reads of the words as typed, and again of those that begin alike: 0.5 µs each. */
const ROWS_MAX = 100_000;
const ROWS_PER_RANGE_MIN = 500;
/** Words of them, counted once for each workspace. */
const FOUND_MAX = 20_000;
/** Words compared by their stems in one search, the most frequent of each word: 6 µs each. */
const STEMS_MAX = 6000;

const AFTER_ALL_LETTERS = String.raw`U&'\+10FFFF'`;
/** The words of a workspace from `first` to before `past`, as the index alone has them. */
const WORDS = (first: string, past: string) => `(
      SELECT word, count(*)::integer AS blocks, sum(count(*)) OVER () = $8 AS is_cut FROM (
        SELECT word FROM search_blocks
        WHERE workspace_number = number AND word >= ${first} AND word < ${past}
        ORDER BY word LIMIT $8
      ) AS range GROUP BY word
    )`;
const COUNT = (found: string, columns: string) => `
    SELECT ${columns}, array_agg(number) AS numbers, array_agg(blocks) AS blocks,
      row_number() OVER (PARTITION BY index ORDER BY sum(blocks) DESC, word) AS rank
    FROM ${found} GROUP BY ${columns}`;

/**
 * Raw: Prisma cannot say it. Finds the words that equal a typed word, begin with it or have its stem. A
 * stemmer changes the end of a word, so only words that begin like the stem are compared.
 */
const EXPAND = `
  WITH stems AS MATERIALIZED (
    SELECT index, language, search_stem(language, word) AS stem
    FROM unnest($5::integer[], $6::text[], $7::text[]) AS t (index, word, language)
  ), beginnings AS (
    SELECT DISTINCT index, left(stem, greatest(3, length(stem) - 1)) AS beginning FROM stems
    WHERE length(stem) >= 3
  ), typed AS MATERIALIZED (
    SELECT index, number, found.*, found.word = t.word AS "isForm"
    FROM unnest($2::integer[], $3::text[], $4::boolean[]) AS t (index, word, is_prefix),
      unnest($1::integer[]) AS number,
      LATERAL (
        SELECT * FROM ${WORDS('t.word', `t.word || CASE WHEN is_prefix THEN ${AFTER_ALL_LETTERS} ELSE E'\\x01' END`)} AS words
        ORDER BY words.word = t.word DESC, blocks DESC, words.word LIMIT ${TERMS_PER_WORD_MAX}
      ) AS found
    LIMIT ${FOUND_MAX}
  ), alike AS MATERIALIZED (
    SELECT index, number, found.*
    FROM beginnings b, unnest($1::integer[]) AS number,
      LATERAL ${WORDS('beginning', `beginning || ${AFTER_ALL_LETTERS}`)} AS found
    WHERE NOT EXISTS (
      SELECT FROM beginnings wider
      WHERE wider.index = b.index AND length(wider.beginning) < length(b.beginning)
        AND starts_with(b.beginning, wider.beginning)
    )
    LIMIT ${FOUND_MAX}
  ), matches AS (${COUNT('typed', 'index, word, "isForm"')}
  ), candidates AS (${COUNT('alike', 'index, word')}
  )
  SELECT index, word, numbers, blocks, "isForm" FROM matches
  WHERE "isForm" OR rank <= ${TERMS_PER_WORD_MAX}
  UNION ALL
  SELECT index, word, numbers, blocks, true FROM candidates c
  WHERE rank <= $9 AND EXISTS (
    SELECT FROM stems s WHERE s.index = c.index AND search_stem(s.language, c.word) = s.stem
  )
  UNION ALL
  SELECT NULL, NULL, NULL, NULL, NULL
  WHERE (SELECT count(*) = ${FOUND_MAX} OR bool_or(is_cut) FROM typed)
    OR (SELECT count(*) = ${FOUND_MAX} OR bool_or(is_cut) FROM alike)
    OR EXISTS (SELECT FROM candidates WHERE rank > $9)`;

interface FoundRow {
  index: number;
  word: string;
  numbers: number[];
  blocks: number[];
  isForm: boolean;
}
/** Tells that something was left out. */
type PartialRow = Record<keyof FoundRow, null>;

/** Finds what the notes have for each word. A tag or a word of a title has no other forms. */
export async function findTerms(
  sql: Sql,
  { numbers, languages }: Vocabulary,
  words: readonly Typed[],
): Promise<FoundTerms> {
  if (words.length === 0 || numbers.length === 0) {
    return { terms: words.map(() => []), isPartial: false };
  }
  const typed = words.flatMap(({ word, isPrefix }, index) =>
    formsOf(word).map((form) => ({ index, word: form, isPrefix })),
  );
  const inflected = words.flatMap(({ word }, index) =>
    (isMarked(word) ? [] : languagesOf(word, languages)).map((language) => ({
      index,
      word,
      language,
    })),
  );
  const rows = await sql.query<FoundRow | PartialRow>(EXPAND, [
    numbers,
    typed.map(({ index }) => index),
    typed.map(({ word }) => word),
    typed.map(({ isPrefix }) => isPrefix),
    inflected.map(({ index }) => index),
    inflected.map(({ word }) => word),
    inflected.map(({ language }) => language),
    Math.max(ROWS_PER_RANGE_MIN, Math.ceil(ROWS_MAX / (typed.length * numbers.length))),
    Math.ceil(STEMS_MAX / Math.max(1, inflected.length)),
  ]);
  const found = rows.filter((row): row is FoundRow => row.index !== null);
  const byIndex = Map.groupBy(found, ({ index }) => index);
  return {
    terms: words.map((_, index) => termsOf(byIndex.get(index) ?? [])),
    isPartial: found.length < rows.length,
  };
}

function termsOf(found: FoundRow[]): Term[] {
  const hasForm = found.some(({ isForm }) => isForm);
  const terms = new Map<string, Term>();
  for (const { word, numbers, blocks, isForm } of found) {
    const weight = isForm || !hasForm ? 1 : PREFIX_WEIGHT;
    if ((terms.get(word)?.weight ?? 0) >= weight) continue;
    const rows = blocks.reduce((sum, count) => sum + count, 0);
    const byWorkspace = new Map(numbers.map((number, at) => [number, blocks[at] ?? 0]));
    terms.set(word, { word, weight, blocks: byWorkspace, rows });
  }
  return [...terms.values()]
    .toSorted((a, b) => b.weight - a.weight || b.rows - a.rows || (a.word < b.word ? -1 : 1))
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
