import { type AttackResult, MEMORY_RATIO_MAX } from './run-attack.ts';
import type { ProbeName } from './probe-worker.ts';

const LATENCY_RATIO_MAX = 5;
const PROBES: readonly ProbeName[] = ['me', 'save', 'redirect'];
const WIDTHS = [24, 7, 25, 25, 25, 38];

export const HEADING = line([
  'attack',
  'seconds',
  'GET /user/me p99 ms',
  'save of a note p99 ms',
  'redirect p99 ms',
  'memory MB (peak)',
  'result',
]);

/** The line of an attack, and below it what it got and what is wrong. */
export function describe(result: AttackResult): string {
  const { name, title, answers, faults, tookMs } = result;
  const cells = [
    name,
    (tookMs / 1000).toFixed(0),
    ...PROBES.map((probe) => latency(result, probe)),
    memory(result),
    faults.length === 0 ? 'held' : 'FAILED',
  ];
  const refused = PROBES.map((probe) => result.during[probe].refused);
  const details = [
    `${title}; answers: ${answers}`,
    ...(refused.some((count) => count > 0)
      ? [`refused to the bystander (me, save, redirect): ${refused.join(', ')}`]
      : []),
    ...faults.map((fault) => `FAULT: ${fault}`),
  ];
  return [line(cells), ...details.map((detail) => `    ${detail}`)].join('\n');
}

function line(cells: readonly string[]): string {
  return cells
    .map((cell, at) => cell.padEnd(WIDTHS[at] ?? 0))
    .join(' ')
    .trimEnd();
}

function latency({ before, during }: AttackResult, probe: ProbeName): string {
  const [calm, attacked] = [p99(before[probe].durationsMs), p99(during[probe].durationsMs)];
  const ratio = attacked / calm;
  const verdict = ratio <= LATENCY_RATIO_MAX ? 'met' : 'MISSED';
  return `${calm.toFixed(0)} → ${attacked.toFixed(0)} ×${ratio.toFixed(1)} ${verdict}`;
}

/** The memory of the process that has grown most. */
function memory({ memory: { before, peak, after } }: AttackResult): string {
  const grown = [...after].map(([name, size]) => ({ name, ratio: size / (before.get(name) ?? 1) }));
  const [most] = grown.toSorted((a, b) => b.ratio - a.ratio);
  if (most === undefined) return '';
  const { name, ratio } = most;
  const verdict = ratio <= MEMORY_RATIO_MAX ? 'met' : 'MISSED';
  return `${name} ${before.get(name)} → ${after.get(name)} (${peak.get(name)}) ${verdict}`;
}

function p99(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
