import type { Figures } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { click } from './click.ts';
import { drain, subscribeMany } from './drain.ts';
import { endToEnd } from './end-to-end.ts';
import { fanOut } from './fan-out.ts';
import { flood } from './flood.ts';
import { isolation } from './isolation.ts';
import { emptyTables, seedHistory } from './seed.ts';
import { openEnvironment, type Environment } from './environment.ts';
import { baselines } from './baselines.ts';

const ENDPOINTS = 50;
const DELIVERIES = 50_000;
const SECONDS = 10;

async function growth(environment: Environment): Promise<Figures> {
  const rates: number[] = [];
  for (const history of [
    { finished: 10_000, farFuture: 0 },
    { finished: 1_000_000, farFuture: 200_000 },
  ]) {
    await emptyTables(environment.webhooks);
    const subscriptions = await subscribeMany(environment, ENDPOINTS);
    await seedHistory(environment.webhooks, subscriptions, history);
    const figures = await drain(environment, subscriptions, { count: DELIVERIES, workers: 1 });
    rates.push(figures['deliveries/s'] ?? NaN);
  }
  const [small = NaN, large = NaN] = rates;
  return {
    'deliveries/s at 10 k finished': small,
    'deliveries/s at 1 M finished, 200 k waiting': large,
    'times slower': small / large,
  };
}

async function pendingDrain(environment: Environment, workers: number): Promise<Figures> {
  await emptyTables(environment.webhooks);
  const subscriptions = await subscribeMany(environment, ENDPOINTS);
  return drain(environment, subscriptions, { count: DELIVERIES, workers });
}

async function fresh(
  environment: Environment,
  part: (environment: Environment) => Promise<Figures>,
): Promise<Figures> {
  await emptyTables(environment.webhooks);
  return part(environment);
}

export const WEBHOOK_PARTS: Parts<Environment> = {
  baselines,
  drain: (environment) => pendingDrain(environment, 1),
  'drain-2-workers': (environment) => pendingDrain(environment, 2),
  'end-to-end': (environment) => fresh(environment, (it) => endToEnd(it, SECONDS)),
  click: (environment) => fresh(environment, click),
  'fan-out': (environment) => fresh(environment, fanOut),
  isolation: (environment) => fresh(environment, (it) => isolation(it, SECONDS)),
  flood: (environment) => fresh(environment, (it) => flood(it, SECONDS)),
  growth,
};

/** Stores a million deliveries first. */
export const ON_DEMAND = ['growth'];

/** Runs the webhook benchmarks. */
export const benchWebhooks: Bench = async (runs, only, keep) => {
  const options = { runs, only, onDemand: ON_DEMAND, keep, open: openEnvironment };
  const summary = await runParts(WEBHOOK_PARTS, options);
  const { 'bare POSTs/s': posts = NaN, 'appended events/s': appends = NaN } =
    summary['baselines'] ?? {};
  // What the machine would do if an event were appended and sent, with nothing in between.
  const ceiling = 1 / (1 / appends + 1 / posts);
  compare('drain', summary['drain']?.['deliveries/s'], 'bare POSTs', posts);
  compare('end to end', summary['end-to-end']?.['events/s'], 'an append and a POST', ceiling);
};

function compare(name: string, rate: number | undefined, baseline: string, per: number): void {
  if (rate === undefined) return;
  const percent = Math.round((rate / per) * 100);
  process.stdout.write(`\n${name} against ${baseline} (${Math.round(per)}/s): ${percent} %\n`);
}
