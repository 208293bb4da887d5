import type { FaultResult } from './run-fault.ts';

export const HEADINGS = [
  'fault',
  'accepted',
  'delivered',
  'lost',
  'extra copies',
  'doubles',
  'longest delay',
  'recovered',
  'answered 503',
] as const;

const FIRST_COLUMN_WIDTH = 42;

/** The cells of one fault, in the order of the headings. */
export function tableRow(result: FaultResult): string[] {
  const { title, accepted, delivered, lost, extraCopies, doubles } = result;
  const { longestDelayMs, recovered, unavailable } = result;
  const delay = `${(longestDelayMs / 1000).toFixed(1)} s`;
  return [
    title,
    ...[accepted, delivered, lost, extraCopies, doubles].map(String),
    delay,
    String(recovered),
    String(unavailable),
  ];
}

/** One line of the table; lines are printed as the faults end. */
export function tableLine(cells: readonly string[]): string {
  return cells
    .map((cell, index) => {
      const heading = HEADINGS[index] ?? '';
      return index === 0 ? cell.padEnd(FIRST_COLUMN_WIDTH) : cell.padStart(heading.length);
    })
    .join('  ');
}
