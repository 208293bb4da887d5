import { type Figures, show } from '../figures.ts';

interface Target {
  name: string;
  part: string;
  figure: string;
  atLeast?: number;
  atMost?: number;
}

const TARGETS: Target[] = [
  ...[
    {
      name: 'Cranfield, whole questions: nDCG@10',
      figure: 'nDCG@10, whole questions',
      atLeast: 0.425,
    },
    {
      name: 'Cranfield, one typo in three words: share kept',
      figure: 'kept with one typo',
      atLeast: 0.95,
    },
    { name: 'Cranfield, title as query: MRR', figure: 'MRR by title', atLeast: 0.93 },
  ].map((target) => ({ ...target, part: 'quality' })),
  ...[
    { name: '50 k notes, three words: p95 ms', figure: 'three words, p95 ms', atMost: 20 },
    { name: '50 k notes, common words: p95 ms', figure: 'common words, p95 ms', atMost: 40 },
    {
      name: '50 k notes, titles as you type: p95 ms',
      figure: 'titles as you type, p95 ms',
      atMost: 15,
    },
  ].map((target) => ({ ...target, part: 'latency' })),
  ...['three words', 'common words', 'titles as you type'].map((query) => ({
    name: `1 M notes in the table, ${query}: p95, times`,
    part: 'growth',
    figure: `${query}, p95 ms, times`,
    atMost: 2,
  })),
  {
    name: '10 k notes, slowest hostile query: ms',
    part: 'hostile',
    figure: 'slowest hostile query over 10 k notes, ms',
    atMost: 200,
  },
  { name: 'beside hostile searches: p95, times', part: 'isolation', figure: 'ratio', atMost: 2 },
  {
    name: 'storing a note, with our index: times',
    part: 'writes',
    figure: 'a request, times as much as without an index',
    atMost: 2,
  },
  {
    name: 'storing a note, transaction alone: ms',
    part: 'writes',
    figure: 'the transaction alone, ms',
  },
  { name: 'index of a note: bytes', part: 'writes', figure: 'bytes of index a note' },
];

/** The same notes searched or stored in another way, in the same run. */
const YARDSTICKS = ['AND of all words', 'OR with ts_rank', 'with GIN', 'without an index'];
const HEADINGS = ['', 'Atrium', ...YARDSTICKS, 'target', ''];

/** What was measured of each target, beside the yardsticks, one line each. */
export function targetTable(medians: Record<string, Figures>): string {
  const rows = TARGETS.flatMap(({ name, part, figure, atLeast, atMost }) => {
    const value = medians[part]?.[figure];
    if (value === undefined) return [];
    const yardsticks = YARDSTICKS.map((yardstick) => {
      const key = `${yardstick}: ${figure}`;
      const measured = medians[part]?.[key] ?? medians['yardsticks']?.[key];
      return measured === undefined ? '' : show(measured);
    });
    const isMet = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
    const target =
      atLeast === undefined ? (atMost === undefined ? '' : `≤ ${atMost}`) : `≥ ${atLeast}`;
    return [
      [name, show(value), ...yardsticks, target, target === '' ? '' : isMet ? 'met' : 'MISSED'],
    ];
  });
  const widths = HEADINGS.map((heading, at) =>
    Math.max(heading.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  return [HEADINGS, ...rows]
    .map((row) =>
      row
        .map((cell, at) =>
          at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0),
        )
        .join('  '),
    )
    .join('\n');
}
