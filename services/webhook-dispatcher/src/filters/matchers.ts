import { LRUCache } from 'lru-cache';
import { compileFilter, type Matches } from './filter.ts';

/** Characters of filters whose predicates are kept. */
const KEPT_CHARACTERS = 1024 * 1024;

/** The predicate of a stored filter, by its JSON: nothing has to be told when a filter changes. */
export type MatcherOf = (filter: string) => Matches;

/** Predicates that were used longest ago are dropped, and compiled again when needed. */
export function createMatchers(): MatcherOf {
  const kept = new LRUCache<string, Matches>({
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (_, filter) => filter.length,
  });
  return (filter) => {
    const found = kept.get(filter);
    if (found !== undefined) return found;
    const matches = compileFilter(JSON.parse(filter));
    kept.set(filter, matches);
    return matches;
  };
}
