import type { Targets } from '../target-table.ts';

/** By part and figure. What has no target is shown beside its baselines. */
export const TARGETS: Targets = {
  quality: {
    'nDCG@10, whole questions': { atLeast: 0.425 },
    'kept with one typo': { atLeast: 0.95 },
    'MRR by title': { atLeast: 0.93 },
  },
  latency: {
    'three words, p95 ms': { atMost: 20 },
    'common words, p95 ms': { atMost: 40 },
    'titles as you type, p95 ms': { atMost: 15 },
  },
  growth: {
    'three words, p95 ms, times': { atMost: 2 },
    'common words, p95 ms, times': { atMost: 2 },
    'titles as you type, p95 ms, times': { atMost: 2 },
  },
  hostile: { 'slowest hostile query over 10 k notes, ms': { atMost: 200 } },
  isolation: { 'p95 beside twenty hostile searches, times': { atMost: 2 } },
  writes: {
    'a request, times as much as without an index': { atMost: 2 },
    'the transaction alone, ms': {},
    'bytes of index a note': {},
  },
};

/** The same notes searched or stored in another way, in the same run. */
export const BASELINES = ['AND of all words', 'OR with ts_rank', 'with GIN', 'without an index'];
