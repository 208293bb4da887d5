import { setImmediate } from 'node:timers/promises';
import type { SearchResult } from '@atrium/contracts/notes';
import type { Sql } from '@atrium/service-kit/database';
import { TITLE_MARK } from '../search-index/analysis.ts';
import { correctionsOf, correctQuery, correctWords, type Expansion } from './corrections.ts';
import { filterByPhrases } from './phrases.ts';
import { type Block, notesIn, readBlocks } from './postings.ts';
import { parseQuery, type Query } from './query.ts';
import { readResults } from './results.ts';
import { findScope, type Scope } from './scope.ts';
import { createScores, type Match, type NoteNumber } from './scoring.ts';
import { smooth } from './smoothing.ts';
import { findTerms, type Term } from './vocabulary.ts';

export interface SearchRequest {
  accountId: string;
  query: string;
  workspaceId?: string | undefined;
  limit: number;
  /** How many results to leave out at the beginning. */
  offset: number;
}

export interface SearchAnswer {
  results: SearchResult[];
  total: number;
  /** The query with its misspelt words corrected, when no note has them as typed. */
  didYouMean: string | null;
  /** Whether notes may be missing, because looking at all of them is too much work. */
  isPartial: boolean;
}

/** How many of the best results are compared with each other. */
const SMOOTHED = 100;
/** How far an answer can be paged through. */
export const RESULTS_MAX = 1000;

/** Null when the workspace is not one that the account may read. */
export async function searchNotes(sql: Sql, request: SearchRequest): Promise<SearchAnswer | null> {
  const query = parseQuery(request.query);
  const { accountId, workspaceId, limit, offset } = request;
  const scope = await findScope(sql, accountId, { workspaceId, names: query.workspaces });
  if (scope === null) return null;
  const found = await findMatches(sql, scope, query, Math.max(SMOOTHED, offset + limit));
  const ranked = await rank(sql, found.matches);
  const page = ranked.slice(offset, offset + limit).flatMap(({ noteId, number, score }) => {
    const workspace = scope.workspaces.get(number);
    const relevance = found.highest === 0 ? 1 : Math.min(1, score / found.highest);
    return workspace === undefined ? [] : [{ noteId, workspace, relevance }];
  });
  return {
    results: await readResults(sql, page, matcherOf(found.expansions)),
    total: found.total,
    didYouMean: correctQuery(request.query, found.expansions),
    isPartial: scope.isPartial || found.isPartial,
  };
}

interface Found {
  matches: Match[];
  total: number;
  /** The highest score that a note could have. */
  highest: number;
  expansions: Expansion[];
  isPartial: boolean;
}

async function findMatches(sql: Sql, scope: Scope, query: Query, limit: number): Promise<Found> {
  const vocabulary = { numbers: [...scope.workspaces.keys()], languages: scope.languages };
  const { words, excluded, tags, excludedTags, phrases } = query;
  const lookups = [
    ...words.map((each) => (query.isTitleOnly ? { ...each, word: TITLE_MARK + each.word } : each)),
    ...[...excluded, ...tags, ...excludedTags].map((word) => ({ word, isPrefix: false })),
  ];
  const terms = await findTerms(sql, vocabulary, lookups);
  const take = (count: number) => terms.splice(0, count);
  const expansions = await correctWords(sql, vocabulary, words, take(words.length));
  const unwanted = take(excluded.length);
  const tagTerms = take(tags.length);
  unwanted.push(...take(excludedTags.length));

  const scored = expansions.flatMap((expansion) => expansion.terms);
  const read = await readBlocks(sql, [...tagTerms, ...unwanted, [...scored]].flat());
  const blocksOf = (each: readonly Term[]): Block[] =>
    each.flatMap(({ word }) => read.blocksOf.get(word) ?? []);

  const scores = createScores(scope.statistics);
  for (const each of tagTerms) scores.require(notesIn(blocksOf(each)));
  for (const each of unwanted) scores.exclude(blocksOf(each));
  for (const word of new Set(phrases.flat())) {
    const expansion = expansions.find(({ queryWord }) => queryWord.word === word);
    if (expansion !== undefined) scores.require(notesIn(blocksOf(expansion.terms)));
  }
  const hasDate = query.updatedFrom !== null || query.updatedBefore !== null;
  const isListing = words.length === 0 && tags.length === 0;
  if (hasDate || (isListing && query.workspaces.length > 0)) {
    scores.require(await findUpdated(sql, vocabulary.numbers, query));
  }
  for (const { queryWord, terms: each } of expansions) {
    const withBlocks = each.map((term) => ({ weight: term.weight, blocks: blocksOf([term]) }));
    scores.addWord({ count: queryWord.count, terms: withBlocks });
    // The searches of others get their turn.
    await setImmediate();
  }
  const isEmpty = isListing && !hasDate && query.workspaces.length === 0;
  const best = scores.best(isEmpty ? 0 : limit, words.length === 0);
  const result = { highest: scores.highest, expansions, isPartial: read.isPartial };
  if (phrases.length === 0) return { ...best, ...result };
  const corrections = correctionsOf(expansions);
  const corrected = phrases.map((phrase) => phrase.map((word) => corrections.get(word) ?? word));
  const checked = await filterByPhrases(sql, best.matches, corrected);
  return {
    ...result,
    matches: checked.notes,
    total: checked.notes.length,
    isPartial: read.isPartial || checked.isPartial || best.total > best.matches.length,
  };
}

/** Raw, as everything on the way of a search: it is measured. One row for each workspace. */
const FIND_UPDATED = `
  SELECT i.workspace_number AS number, array_agg(i.note_number) AS "noteNumbers"
  FROM search_notes i JOIN notes n ON n.id = i.note_id
  WHERE i.workspace_number = ANY ($1::integer[])
    AND ($2::timestamptz IS NULL OR n.updated_at >= $2)
    AND ($3::timestamptz IS NULL OR n.updated_at < $3)
  GROUP BY i.workspace_number`;

async function findUpdated(
  sql: Sql,
  numbers: readonly number[],
  { updatedFrom, updatedBefore }: Query,
): Promise<NoteNumber[]> {
  const rows = await sql.query<{ number: number; noteNumbers: number[] }>(FIND_UPDATED, [
    numbers,
    updatedFrom,
    updatedBefore,
  ]);
  return rows.flatMap(({ number, noteNumbers }) =>
    noteNumbers.map((noteNumber) => ({ number, noteNumber })),
  );
}

const READ_PROFILES = `
  SELECT i.workspace_number AS number, i.note_number AS "noteNumber", i.note_id AS "noteId", i.profile
  FROM unnest($1::integer[], $2::integer[]) AS wanted (number, note_number)
    JOIN search_notes i ON i.workspace_number = wanted.number AND i.note_number = wanted.note_number`;

interface ProfileRow extends NoteNumber {
  noteId: string;
  profile: Buffer;
}

/** Orders the best matches anew by what resembles them, and finds their ids. */
async function rank(sql: Sql, matches: readonly Match[]): Promise<(Match & { noteId: string })[]> {
  if (matches.length === 0) return [];
  const rows = await sql.query<ProfileRow>(READ_PROFILES, [
    matches.map(({ number }) => number),
    matches.map(({ noteNumber }) => noteNumber),
  ]);
  const byNumber = new Map(rows.map((row) => [`${row.number} ${row.noteNumber}`, row]));
  const notes = matches.flatMap((match) => {
    const row = byNumber.get(`${match.number} ${match.noteNumber}`);
    return row === undefined ? [] : [{ ...match, noteId: row.noteId, profile: row.profile }];
  });
  const best = notes.slice(0, SMOOTHED);
  const smoothed = smooth(
    best.map(({ score }) => score),
    best.map(({ profile }) => profile),
  );
  const reordered = best
    .map((note, index) => ({ ...note, score: smoothed[index] ?? note.score }))
    .toSorted((a, b) => b.score - a.score);
  return [...reordered, ...notes.slice(SMOOTHED)];
}

function matcherOf(expansions: readonly Expansion[]): (word: string) => number | undefined {
  const matches = new Map<string, number>();
  for (const [index, { terms }] of expansions.entries()) {
    for (const { word } of terms) {
      matches.set(word.startsWith(TITLE_MARK) ? word.slice(TITLE_MARK.length) : word, index);
    }
  }
  return (word) => matches.get(word);
}
