import type { Figures } from '../figures.ts';
import { type Bench, type Parts, runParts } from '../parts.ts';
import { click } from './click.ts';
import { clickCosts } from './click-costs.ts';
import { drain } from './drain.ts';
import { endToEnd } from './end-to-end.ts';
import { flood } from './flood.ts';
import { publish } from './publish.ts';
import { tracing } from './tracing.ts';
import { emptyTables } from './seed.ts';
import { openEnvironment, type Environment } from './environment.ts';
import { baselines } from './baselines.ts';

const SECONDS = 10;

async function fresh(
  environment: Environment,
  part: (environment: Environment) => Promise<Figures>,
): Promise<Figures> {
  await emptyTables(environment.webhooks);
  return part(environment);
}

export const WEBHOOK_PARTS: Parts<Environment> = {
  baselines,
  drain: (environment) => fresh(environment, drain),
  'end-to-end': (environment) => fresh(environment, (it) => endToEnd(it, SECONDS)),
  click: (environment) => fresh(environment, click),
  'click-costs': (environment) => fresh(environment, clickCosts),
  tracing: (environment) => fresh(environment, tracing),
  publish: (environment) => fresh(environment, publish),
  flood: (environment) => fresh(environment, (it) => flood(it, SECONDS)),
};

/** Runs the webhook benchmarks. */
export const benchWebhooks: Bench = async (runs, only, keep) => {
  const summary = await runParts(WEBHOOK_PARTS, { runs, only, keep, open: openEnvironment });
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
