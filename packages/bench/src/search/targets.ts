import { type Figures, show } from '../figures.ts';

interface Target {
  atLeast?: number;
  atMost?: number;
}

/** By part and figure. What has no target is shown beside its yardsticks. */
const TARGETS: Record<string, Record<string, Target>> = {
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
const YARDSTICKS = ['AND of all words', 'OR with ts_rank', 'with GIN', 'without an index'];
const HEADINGS = ['', 'Atrium', ...YARDSTICKS, 'target', ''];

/** What was measured of each target, beside the yardsticks, one line each. */
export function targetTable(medians: Record<string, Figures>): string {
  const rows = Object.entries(TARGETS).flatMap(([part, targets]) =>
    Object.entries(targets).flatMap(([figure, target]) => {
      const value = medians[part]?.[figure];
      if (value === undefined) return [];
      const yardsticks = YARDSTICKS.map((yardstick) => {
        const key = `${yardstick}: ${figure}`;
        const measured = medians[part]?.[key] ?? medians['yardsticks']?.[key];
        return measured === undefined ? '' : show(measured);
      });
      return [[`${part}: ${figure}`, show(value), ...yardsticks, ...verdictOf(value, target)]];
    }),
  );
  const widths = HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = ([name = '', ...cells]: string[]) =>
    [
      name.padEnd(widths[0] ?? 0),
      ...cells.map((cell, at) => cell.padStart(widths[at + 1] ?? 0)),
    ].join('  ');
  return [HEADINGS, ...rows].map(line).join('\n');
}

function verdictOf(value: number, { atLeast, atMost }: Target): [target: string, verdict: string] {
  if (atLeast !== undefined) return [`≥ ${atLeast}`, value >= atLeast ? 'met' : 'MISSED'];
  if (atMost !== undefined) return [`≤ ${atMost}`, value <= atMost ? 'met' : 'MISSED'];
  return ['', ''];
}
