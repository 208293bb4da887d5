import { readFile, writeFile } from 'node:fs/promises';
import { columns, quantile, show } from '../figures.ts';
import type { Bench } from '../parts.ts';
import { ACCOUNT_LIMIT, ACCOUNTS, spread } from './accounts.ts';
import { ASSUMED, MEASURED } from './costs.ts';
import { busyCores, coresNeeded, CPU_MS, daysOnDisk, shardLimits, STAGES } from './plan.ts';
import { simulate } from './simulation.ts';

export const DOCUMENT = new URL('../../../../docs/capacity.md', import.meta.url);
const LOADS = [10_000, 100_000, 1_000_000];
/** Clicks simulated for each load; one shard gets so many within a few seconds. */
const CLICKS = 10_000;
const SEED = 20_260_101;
const PARTS = Object.keys(CPU_MS);
const percent = (share: number) => `${show(share * 100)} %`;

/** Simulates loads that no machine at hand can make, and writes the report into the document. */
export const benchCapacity: Bench = async (_runs, _only, keep) => {
  process.stdout.write(`\n${report()}\n`);
  await writeFile(DOCUMENT, withReport(await readFile(DOCUMENT, 'utf8')));
  await keep({ 'CPU ms a click': CPU_MS, 'clicks/s of a shard': shardLimits() });
};

/** The document with the report in its one block of plain text. */
export function withReport(document: string): string {
  return document.replace(/(?<=\n```text\n).*?(?=\n```\n)/su, report);
}

/** All that follows from costs.ts, the same text each time. */
function report(): string {
  const measured = `Costs of ${MEASURED.date}: ${MEASURED.machine}.`;
  return [measured, saturation(), ...LOADS.map(load), accounts(LOADS.at(-1) ?? 0)].join('\n\n');
}

function run(clicksPerSecond: number, cores: Record<string, number>) {
  return simulate(STAGES, {
    clicksPerSecond,
    seconds: CLICKS / clicksPerSecond,
    seed: SEED,
    cores,
  });
}

function saturation(): string {
  const most = (part: string) => 1000 / (CPU_MS[part] ?? 0);
  const [first = ''] = PARTS.toSorted((a, b) => most(a) - most(b));
  const cores = Object.fromEntries(PARTS.map((part) => [part, 1]));
  const below = run(most(first) * 0.8, cores);
  const above = run(most(first) * 1.2, cores);
  const parts = PARTS.map((part) => {
    const atMost = most(part);
    return [part, show(CPU_MS[part] ?? 0), show(atMost), show(atMost * ASSUMED.busyMax)];
  });
  return `${columns([['one core each', 'CPU ms a click', 'clicks/s at most', `at ${percent(ASSUMED.busyMax)}`], ...parts])}
First to saturate: ${first}. Of ${show(CLICKS)} clicks, so many wait at half the time and at the end:
at 80 % of that ${below.waiting.half} and ${below.waiting.end}, at 120 % ${above.waiting.half} and ${above.waiting.end}`;
}

function load(clicksPerSecond: number): string {
  const shards = shardsFor(clicksPerSecond);
  const each = clicksPerSecond / shards;
  const cores = coresOfShard(each);
  const { utilisation, latenciesMs } = run(each, cores);
  const days = daysOnDisk(each);
  const parts = PARTS.map((part) => [
    part,
    percent(busyCores(part, clicksPerSecond)),
    show(coresNeeded(part, clicksPerSecond)),
    show(cores[part] ?? 0),
    percent(utilisation[part] ?? 0),
  ]);
  const limits = Object.entries({
    ...shardLimits(),
    [`${ASSUMED.keptDays} days on ${ASSUMED.diskTb} TB`]: (each * days) / ASSUMED.keptDays,
  }).map(([name, limit]) => [name, show(limit), show(Math.ceil(clicksPerSecond / limit))]);
  const [p50 = '', p99 = ''] = [0.5, 0.99].map((q) => show(quantile(latenciesMs, q)));
  return `${show(clicksPerSecond)} clicks a second
${columns([['', 'with one core', 'cores needed', 'in one shard', 'there busy'], ...parts])}
${columns([['a shard is limited by', 'clicks/s', 'shards'], ...limits])}
${shards} shards of ${show(each)} clicks/s; click to receiver: p50 ${p50} ms, p99 ${p99} ms; days on ${ASSUMED.diskTb} TB: ${show(days)}`;
}

/** Shards needed by all limits but the disk's, which retention decides. */
function shardsFor(clicksPerSecond: number): number {
  return Math.ceil(clicksPerSecond / Math.min(...Object.values(shardLimits())));
}

function coresOfShard(clicksPerSecond: number): Record<string, number> {
  const needed = PARTS.map((part) => [part, coresNeeded(part, clicksPerSecond)]);
  return { ...Object.fromEntries(needed), Postgres: ASSUMED.postgresCores, Redis: 1 };
}

function accounts(clicksPerSecond: number): string {
  const shards = shardsFor(clicksPerSecond);
  const cores = coresOfShard(clicksPerSecond / shards);
  const both = [Infinity, ACCOUNT_LIMIT].map((limit) => {
    const one = spread(clicksPerSecond, shards, limit, SEED);
    return { ...one, ...run(one.largestShard, cores).waiting };
  });
  const row = (name: string, of: (one: (typeof both)[number]) => number) => [
    name,
    ...both.map((one) => show(of(one))),
  ];
  return columns([
    [
      `${show(clicksPerSecond)} clicks/s of ${show(ACCOUNTS)} accounts (Zipf)`,
      'without limit',
      'limit of `pro`',
    ],
    row('recorded, clicks/s', ({ recorded }) => recorded),
    row('largest account', ({ largestAccount }) => largestAccount),
    row('average shard', ({ averageShard }) => averageShard),
    row('largest shard', ({ largestShard }) => largestShard),
    row('clicks that wait there, at half the time', ({ half }) => half),
    row('and at the end', ({ end }) => end),
    row('two batches there share an owner, %', ({ sharesOwner }) => sharesOwner * 100),
  ]);
}
