import { cpuSeconds } from '../cpu-time.ts';
import { type Figures, medians, show, table } from '../figures.ts';
import type { Bench } from '../parts.ts';
import { openServers, type Servers } from '../platform.ts';
import { deliveryPath, leasePlan, type Measure } from './delivery-path.ts';
import { type FilledDatabase, openFilled } from './environment.ts';
import { expiry } from './expiry.ts';

/** Deliveries that are stored. */
const SIZES = ['1000000', '10000000'];
const STEPS = ['ingest', 'lease', 'record'];

/**
 * What the path of a delivery and retention cost Postgres while so many are stored, in partitioned tables and, as a
 * baseline, in tables that are not. The rounds of all databases take turns.
 */
export const benchGrowth: Bench = async (runs, only, keep) => {
  const sizes = only.length > 0 ? only : SIZES;
  await using stack = new AsyncDisposableStack();
  const servers = stack.use(await openServers());
  const databases = new Map<string, FilledDatabase>();
  for (const size of sizes) {
    for (const isPartitioned of [true, false]) {
      const name = nameOf(size, isPartitioned);
      process.stderr.write(`filling ${name}\n`);
      const filled = await openFilled(servers, { deliveries: Number(size), isPartitioned });
      databases.set(name, stack.use(filled));
    }
  }
  const results = new Map<string, Figures[]>();
  const summary: Record<string, Figures> = {};
  // The first one warms caches up and does not count.
  for (let run = 0; run <= runs; run += 1) {
    for (const [name, filled] of databases) {
      process.stderr.write(`run ${run} of ${runs}: ${name}\n`);
      const figures = await measured(servers, (measure) => deliveryPath(filled, measure));
      if (run === 0) continue;
      results.set(name, [...(results.get(name) ?? []), figures]);
      summary[name] = medians(results.get(name) ?? []);
      await keep(summary);
    }
  }
  for (const [name, filled] of databases) {
    process.stdout.write(`\n${name}\n${table(results.get(name) ?? [])}\n`);
    process.stdout.write(`${await leasePlan(filled)}\n`);
    const expired = await measured(servers, (measure) => expiry(filled, measure));
    process.stdout.write(`${table([expired])}\n`);
    summary[name] = { ...summary[name], ...expired };
    await keep(summary);
  }
  compare(summary, sizes);
};

const nameOf = (size: string, isPartitioned: boolean) =>
  `${show(Number(size))} deliveries, ${isPartitioned ? 'partitioned' : 'one table each'}`;

async function measured(
  { postgres }: Servers,
  work: (measure: Measure) => Promise<void>,
): Promise<Figures> {
  const figures: Figures = {};
  await work(async (name, step) => {
    const before = (await cpuSeconds(postgres.pid)) ?? NaN;
    const startMs = performance.now();
    const deliveries = await step();
    const ms = performance.now() - startMs;
    const cpuMs = (((await cpuSeconds(postgres.pid)) ?? NaN) - before) * 1000;
    figures[`${name}: Postgres CPU ms / 1,000`] = (cpuMs / deliveries) * 1000;
    figures[`${name}: ms / 1,000`] = (ms / deliveries) * 1000;
  });
  return figures;
}

function compare(summary: Record<string, Figures>, sizes: readonly string[]): void {
  const [small = '', large = ''] = [sizes[0], sizes.at(-1)];
  const cpuOf = (size: string, isPartitioned: boolean, step: string) =>
    summary[nameOf(size, isPartitioned)]?.[`${step}: Postgres CPU ms / 1,000`] ?? NaN;
  const lines = STEPS.map((step) => {
    const growth = cpuOf(large, true, step) / cpuOf(small, true, step);
    const price = cpuOf(large, true, step) / cpuOf(large, false, step);
    return `${step}: ${show(growth)} times the CPU at the largest size, ${show(price)} times that of one table each`;
  });
  const retention =
    (cpuOf(large, true, 'expire by row') + cpuOf(large, true, 'drop')) /
    cpuOf(large, false, 'expire by row');
  process.stdout.write(
    `\n${lines.join('\n')}\nretention: ${show(retention)} times that of deleting by row\n`,
  );
}
