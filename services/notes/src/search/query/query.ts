import { tagTerm } from '../../search-index/analysis.ts';
import { fold, isUnspaced, wordsOf } from '../../search-index/words.ts';

export interface TypedWord {
  word: string;
  /** How often it stands in the query. */
  count: number;
  /** Also stands for the words that begin with it: it may still be being typed. */
  isPrefix: boolean;
}

export interface Query {
  words: TypedWord[];
  /** Each must occur, word by word. */
  phrases: string[][];
  excluded: string[];
  /** Index terms of tags, all of them required. */
  tags: string[];
  excludedTags: string[];
  /** Folded names or ids, one of which the workspace has. */
  workspaces: string[];
  updatedFrom: Date | null;
  updatedBefore: Date | null;
}

const CONDITIONS_MAX = 16;

const PART = /(-?)(?:(tag|in|updated):)?(?:"([^"]*)"?|(\S+))/giu;
const UPDATED = /^(>=|<=|>|<|)([12]\d{3}-\d{2}-\d{2})$/;
const DAY_MS = 86_400_000;

/** Reads what a person typed. Every text is a query; what is not an operator is words. */
export function parseQuery(text: string): Query {
  const query: Query = {
    words: [],
    phrases: [],
    excluded: [],
    tags: [],
    excludedTags: [],
    workspaces: [],
    updatedFrom: null,
    updatedBefore: null,
  };
  const typed: string[] = [];
  let isOpen = false;
  for (const [, minus, operator, quoted, plain] of text.matchAll(PART)) {
    const value = quoted ?? plain ?? '';
    const isCondition =
      operator !== undefined && readCondition(query, operator, value, minus === '-');
    isOpen = false;
    if (isCondition) continue;
    const words = [...wordsOf(operator === undefined ? value : `${operator} ${value}`)];
    const folded = words.map(({ word }) => word);
    if (minus === '-') query.excluded.push(...folded);
    else {
      typed.push(...folded);
      if (quoted !== undefined && folded.length > 1) query.phrases.push(folded);
      isOpen = quoted === undefined && words.at(-1)?.end === value.length;
    }
  }
  query.excluded = [...new Set(query.excluded)].slice(0, CONDITIONS_MAX);
  query.phrases = query.phrases.slice(0, CONDITIONS_MAX);
  const last = isOpen && !/\s$/u.test(text) ? typed.at(-1) : undefined;
  const counts = new Map<string, number>();
  for (const word of typed) counts.set(word, (counts.get(word) ?? 0) + 1);
  query.words = [...counts].map(([word, count]) => ({
    word,
    count,
    isPrefix: word === last || isUnspaced(word),
  }));
  return query;
}

/** False when it is not a condition after all, such as `updated:yesterday`. */
function readCondition(
  query: Query,
  operator: string,
  value: string,
  isExcluded: boolean,
): boolean {
  if (value === '') return false;
  const name = operator.toLowerCase();
  if (name === 'tag') {
    const tags = isExcluded ? query.excludedTags : query.tags;
    const term = tagTerm(value);
    if (tags.length < CONDITIONS_MAX && !tags.includes(term)) tags.push(term);
    return true;
  }
  if (isExcluded) return false;
  if (name === 'updated') return readUpdated(query, value);
  if (query.workspaces.length < CONDITIONS_MAX) query.workspaces.push(fold(value).trim());
  return true;
}

function readUpdated(query: Query, value: string): boolean {
  const [, comparison, date = ''] = UPDATED.exec(value) ?? [];
  const day = new Date(`${date}T00:00:00Z`);
  if (comparison === undefined || Number.isNaN(day.getTime())) return false;
  const nextDay = new Date(day.getTime() + DAY_MS);
  if (comparison === '>') query.updatedFrom = nextDay;
  else if (comparison === '>=') query.updatedFrom = day;
  else if (comparison === '<') query.updatedBefore = day;
  else if (comparison === '<=') query.updatedBefore = nextDay;
  else [query.updatedFrom, query.updatedBefore] = [day, nextDay];
  return true;
}
