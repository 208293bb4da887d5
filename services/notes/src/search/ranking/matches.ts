import type { Sql } from '@atrium/service-kit/database';
import { correctionsOf, correctWords, type Expansion } from '../query/corrections.ts';
import { DATED_NOTES_MAX, filterByDate, findNewest } from './dates.ts';
import { filterByPhrases, PHRASE_NOTES_MAX } from './phrases.ts';
import { type Block, readBlocks } from './postings.ts';
import type { Query } from '../query/query.ts';
import type { Scope } from '../query/scope.ts';
import { createScores, type Match, type Scores } from './scoring.ts';
import { yieldTurn } from '../../yield-turn.ts';
import { findTerms, type Term, type Vocabulary } from '../query/vocabulary.ts';
import { chooseWords, notesWithout, type QueryWord } from '../query/words.ts';

export interface Found {
  /** The best first. */
  matches: Match[];
  total: number;
  /** The highest score that a note could have. */
  highest: number;
  expansions: Expansion[];
  isPartial: boolean;
}

/**
 * The best `limit` notes of a scope that match a query, before their neighbours are looked at. With phrases,
 * those of the best 200 that have them.
 */
export async function findMatches(
  sql: Sql,
  scope: Scope,
  query: Query,
  limit: number,
): Promise<Found> {
  const { workspaces, languages } = scope;
  const words = await chooseWords(sql, scope, query.words);
  const vocabulary = { numbers: [...workspaces.keys()], languages: [...languages.keys()] };
  const terms = await findQueryTerms(sql, vocabulary, query, words);
  const { expansions } = terms;
  const postings = await readBlocks(
    sql,
    [...terms.required.flat(), ...terms.excluded],
    expansions.flatMap((expansion) => expansion.terms),
  );
  const blocksOf = (each: readonly Term[]): Block[] =>
    each.flatMap(({ word }) => postings.blocksOf.get(word) ?? []);

  const scores = createScores(scope.statistics);
  // After each step, the searches of others get their turn.
  for (const each of terms.required) {
    scores.require(blocksOf(each));
    await yieldTurn();
  }
  scores.exclude(blocksOf(terms.excluded));
  for (const { queryWord, terms: each } of expansions) {
    for (const term of each) {
      scores.addOccurrences(term.weight, blocksOf([term]));
      await yieldTurn();
    }
    scores.addWord(queryWord.count, notesWithout(queryWord.word, languages));
  }
  const hasPhrases = query.phrases.length > 0;
  const best = await findBest(sql, {
    scores,
    scope,
    query,
    words,
    limit: hasPhrases ? PHRASE_NOTES_MAX : limit,
  });
  const result = { highest: scores.highest, expansions };
  const isPartial = terms.isPartial || postings.isPartial || best.isPartial;
  if (!hasPhrases) return { ...result, ...best, isPartial };
  const corrections = correctionsOf(expansions);
  const phrases = query.phrases.map((phrase) =>
    phrase.map((word) => corrections.get(word) ?? word),
  );
  const checked = await filterByPhrases(sql, best.matches, phrases);
  return {
    ...result,
    matches: checked.notes,
    total: checked.notes.length,
    isPartial: isPartial || checked.isPartial || best.total > best.matches.length,
  };
}

interface QueryTerms {
  expansions: Expansion[];
  /** A note has one term of each. */
  required: Term[][];
  excluded: Term[];
  isPartial: boolean;
}

async function findQueryTerms(
  sql: Sql,
  vocabulary: Vocabulary,
  { phrases, tags, excluded, excludedTags }: Query,
  words: readonly QueryWord[],
): Promise<QueryTerms> {
  const found = await findTerms(sql, vocabulary, [
    ...words,
    ...[...tags, ...excluded, ...excludedTags].map((word) => ({ word, isPrefix: false })),
  ]);
  const conditions = found.terms.slice(words.length);
  const corrected = await correctWords(sql, vocabulary, words, found.terms);
  const { expansions } = corrected;
  const phraseWords = new Set(phrases.flat());
  return {
    expansions,
    required: [
      ...conditions.slice(0, tags.length),
      ...expansions
        .filter(
          ({ queryWord: { word, isFunctionWord } }) => !isFunctionWord && phraseWords.has(word),
        )
        .map(({ terms }) => terms),
    ],
    excluded: conditions.slice(tags.length).flat(),
    isPartial: found.isPartial || corrected.isPartial,
  };
}

/**
 * Finds the best notes that also have the dates of the query. A query without words finds the newest notes. Phrases
 * of function words alone may be in any note: the newest come after the notes that have some of the words.
 */
async function findBest(
  sql: Sql,
  {
    scores,
    scope,
    query,
    words,
    limit,
  }: { scores: Scores; scope: Scope; query: Query; words: readonly QueryWord[]; limit: number },
): Promise<{ matches: Match[]; total: number; isPartial: boolean }> {
  const { phrases, tags, workspaces } = query;
  const hasWords = words.length > 0;
  const hasDates = query.updatedFrom !== null || query.updatedBefore !== null;
  const isListing = hasWords
    ? phrases.length > 0 && words.every(({ isFunctionWord }) => isFunctionWord)
    : hasDates || workspaces.length > 0 || tags.length > 0;
  if (!isListing && !hasDates) return { ...scores.best(limit, false), isPartial: false };
  let isPartial = false;
  if (isListing && tags.length === 0) {
    scores.requireNotes(await findNewest(sql, [...scope.workspaces.keys()]));
    isPartial = scope.statistics.noteCount > DATED_NOTES_MAX;
  }
  const candidates = scores.best(DATED_NOTES_MAX, isListing);
  const dated = await filterByDate(sql, candidates.matches, query);
  const matches = hasWords ? dated.toSorted((a, b) => b.score - a.score) : dated;
  return {
    matches: matches.slice(0, limit),
    total: dated.length,
    isPartial: isPartial || candidates.total > candidates.matches.length,
  };
}
