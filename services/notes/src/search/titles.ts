import type { TitleResult } from '@atrium/contracts/notes/search';
import type { Sql } from '@atrium/service-kit/database';
import { TITLE_MARK } from '../search-index/analysis.ts';
import { fold, wordsOf } from '../search-index/words.ts';
import { WANTED_NOTES, wantedNotes } from './ranking/note-numbers.ts';
import { readBlocks } from './ranking/postings.ts';
import { findScope } from './query/scope.ts';
import { createScores } from './ranking/scoring.ts';
import { findTerms, type Term } from './query/vocabulary.ts';

const WORDS_MAX = 8;
const BLOCKS_MAX = 1000;
/** Blocks of a single word, shared by its forms: the newest notes are enough. */
const NEWEST_BLOCKS = 400;
const CANDIDATES = 50;

/** Raw, as everything on the way of a search. */
const READ_TITLES = `
  SELECT n.id, n.title, n.workspace_id AS "workspaceId"
  FROM ${WANTED_NOTES} JOIN notes n ON n.id = i.note_id AND n.deleted_at IS NULL`;

interface TitleRequest {
  accountId: string;
  typed: string;
  workspaceId: string | undefined;
  limit: number;
}

/**
 * Notes whose title has every word typed, the last of them begun: those first whose title begins with
 * what was typed, then the newest.
 *
 * @returns null when the workspace is not one that the account may read
 */
export async function searchTitles(
  sql: Sql,
  { accountId, typed, workspaceId, limit }: TitleRequest,
): Promise<TitleResult[] | null> {
  const words = [...new Set([...wordsOf(typed)].map(({ word }) => word))].slice(0, WORDS_MAX);
  const scope = await findScope(sql, accountId, { workspaceId, names: [] });
  if (scope === null) return null;
  if (words.length === 0) return [];
  const { terms } = await findTerms(
    sql,
    { numbers: [...scope.workspaces.keys()], languages: [] },
    words.map((word, index) => ({ word: TITLE_MARK + word, isPrefix: index === words.length - 1 })),
  );
  const wanted = terms.length === 1 ? newestOf(terms.flat()) : terms.flat();
  const { blocksOf } = await readBlocks(sql, wanted, [], BLOCKS_MAX);
  const scores = createScores(scope.statistics);
  for (const each of terms) {
    scores.require(each.flatMap(({ word }) => blocksOf.get(word) ?? []));
  }
  const { matches } = scores.best(CANDIDATES, true);
  const rows = await sql.query<Omit<TitleResult, 'workspaceName'>>(
    READ_TITLES,
    wantedNotes(matches),
  );
  const names = new Map([...scope.workspaces.values()].map(({ id, name }) => [id, name]));
  const start = fold(typed).trim();
  const beginsSo = (title: string) => Number(fold(title).startsWith(start));
  return rows
    .toSorted((a, b) => beginsSo(b.title) - beginsSo(a.title) || (a.id < b.id ? 1 : -1))
    .flatMap((row) => {
      const workspaceName = names.get(row.workspaceId);
      // It was moved meanwhile.
      return workspaceName === undefined ? [] : [{ ...row, workspaceName }];
    })
    .slice(0, limit);
}

function newestOf(terms: readonly Term[]): Term[] {
  const ranges = terms.reduce((sum, { blocks }) => sum + blocks.size, 0);
  const share = Math.ceil(NEWEST_BLOCKS / Math.max(1, ranges));
  return terms.map((term) => ({
    ...term,
    blocks: new Map(Array.from(term.blocks, ([number, rows]) => [number, Math.min(rows, share)])),
  }));
}
