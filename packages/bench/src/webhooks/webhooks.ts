import { startChild } from '../child.ts';
import type { Figures } from '../figures.ts';
import { type Parts, runParts } from '../parts.ts';
import { drain, subscribeMany } from './drain.ts';
import { endToEnd } from './end-to-end.ts';
import { fanOut } from './fan-out.ts';
import { isolation } from './isolation.ts';
import { emptyTables, FILLING, seedHistory } from './seed.ts';
import { openWorld, type World } from './world.ts';

const ENDPOINTS = 50;
const DELIVERIES = 50_000;
const INSERTS = 10_000;
const INSERT_CONNECTIONS = 4;
const SECONDS = 10;

/** (a) What the machine can do at best: the same requests unstored, and durable inserts alone. */
async function yardsticks(world: World): Promise<Figures> {
  const body = JSON.stringify({ filling: FILLING });
  await using sender = startChild('webhooks/bare-sender.ts', [
    world.receiver.origin,
    String(DELIVERIES),
    body,
  ]);
  const posts = await sender.next((message) =>
    typeof message === 'object' && message !== null && 'perSecond' in message
      ? Number(message.perSecond)
      : undefined,
  );
  await world.webhooks.query('CREATE TABLE IF NOT EXISTS bench_yardstick (body text)');
  let left = INSERTS;
  const startedMs = performance.now();
  const insert = async () => {
    while (left > 0) {
      left -= 1;
      await world.webhooks.query('INSERT INTO bench_yardstick VALUES ($1)', [body]);
    }
  };
  await Promise.all(Array.from({ length: INSERT_CONNECTIONS }, insert));
  const inserts = INSERTS / ((performance.now() - startedMs) / 1000);
  await world.webhooks.query('DROP TABLE bench_yardstick');
  return { 'bare POSTs/s': posts, 'durable one-row inserts/s': inserts };
}

async function growth(world: World): Promise<Figures> {
  const rates: number[] = [];
  for (const history of [
    { finished: 10_000, farFuture: 0 },
    { finished: 1_000_000, farFuture: 200_000 },
  ]) {
    await emptyTables(world.webhooks);
    const subscriptions = await subscribeMany(world, ENDPOINTS);
    await seedHistory(world.webhooks, subscriptions, history);
    const figures = await drain(world, subscriptions, { count: DELIVERIES, workers: 1 });
    rates.push(figures['deliveries/s'] ?? NaN);
  }
  const [small = NaN, large = NaN] = rates;
  return {
    'deliveries/s at 10 k finished': small,
    'deliveries/s at 1 M finished, 200 k waiting': large,
    'times slower': small / large,
  };
}

async function pendingDrain(world: World, workers: number): Promise<Figures> {
  await emptyTables(world.webhooks);
  const subscriptions = await subscribeMany(world, ENDPOINTS);
  return drain(world, subscriptions, { count: DELIVERIES, workers });
}

async function fresh(world: World, part: (world: World) => Promise<Figures>): Promise<Figures> {
  await emptyTables(world.webhooks);
  return part(world);
}

const PARTS: Parts<World> = {
  yardsticks,
  drain: (world) => pendingDrain(world, 1),
  'drain-2-workers': (world) => pendingDrain(world, 2),
  'end-to-end': (world) => fresh(world, (w) => endToEnd(w, SECONDS)),
  'fan-out': (world) => fresh(world, fanOut),
  isolation: (world) => fresh(world, (w) => isolation(w, SECONDS)),
  growth,
};

/** Runs the webhook benchmarks; `only` names parts. */
export async function benchWebhooks(
  runs: number,
  only: readonly string[],
): Promise<Record<string, Figures>> {
  const summary = await runParts(PARTS, { runs, only, open: openWorld });
  const bare = summary['yardsticks']?.['bare POSTs/s'] ?? NaN;
  const drained = summary['drain']?.['deliveries/s'];
  if (drained !== undefined) {
    process.stdout.write(`\ndrain against bare POSTs: ${Math.round((drained / bare) * 100)} %\n`);
  }
  return summary;
}
