// Why it is so: docs/decisions/0014-search-has-its-own-index.md
import type { SearchResult } from '@atrium/contracts/notes/search';
import type { Sql } from '@atrium/service-kit/database';
import { TITLE_MARK } from '../search-index/analysis.ts';
import { correctQuery, type Expansion } from './query/corrections.ts';
import { findMatches } from './ranking/matches.ts';
import { parseQuery } from './query/query.ts';
import { readResults } from './results.ts';
import { findScope } from './query/scope.ts';
import { WANTED_NOTES, wantedNotes } from './ranking/note-numbers.ts';
import type { Match } from './ranking/scoring.ts';
import { smooth } from './ranking/smoothing.ts';

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

const READ_PROFILES = `
  SELECT wanted.index::integer, i.note_id AS "noteId", i.profile FROM ${WANTED_NOTES} ORDER BY 1`;

interface ProfileRow {
  index: number;
  noteId: string;
  profile: Buffer;
}

/** Orders the best matches anew by what resembles them, and finds their ids. */
async function rank(sql: Sql, matches: readonly Match[]): Promise<(Match & { noteId: string })[]> {
  if (matches.length === 0) return [];
  const rows = await sql.query<ProfileRow>(READ_PROFILES, wantedNotes(matches));
  const notes = rows.flatMap(({ index, noteId, profile }) => {
    const match = matches[index - 1];
    return match === undefined ? [] : [{ ...match, noteId, profile }];
  });
  const best = notes.slice(0, SMOOTHED);
  const smoothed = await smooth(
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
  for (const [index, { queryWord, terms }] of expansions.entries()) {
    // Where the index of a note lacks a function word, a phrase may have found it in the text.
    if (queryWord.isFunctionWord) matches.set(queryWord.word, index);
    for (const { word } of terms) {
      matches.set(word.startsWith(TITLE_MARK) ? word.slice(TITLE_MARK.length) : word, index);
    }
  }
  return (word) => matches.get(word);
}
