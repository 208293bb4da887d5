import type { Targets } from '../target-table.ts';

/** By part and figure. */
export const TARGETS: Targets = {
  quality: {
    'nDCG@10, whole questions': { atLeast: 0.425 },
    'kept with one typo': { atLeast: 0.95 },
    'MRR by title': { atLeast: 0.93 },
  },
  isolation: { 'p95 beside twenty hostile searches, times': { atMost: 2 } },
};

/** The same notes searched in another way, in the same run. */
export const BASELINES = ['AND of all words', 'OR with ts_rank'];
