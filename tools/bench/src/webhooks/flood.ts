import { startChild } from '../child.ts';
import { quantile, type Figures } from '../figures.ts';
import { append, drive, startProducer } from './end-to-end.ts';
import type { Environment } from './environment.ts';
import { receiverOf } from './receiver-report.ts';

const QUIET_ACCOUNTS = 20;
const QUIET_EVENTS_PER_SECOND = 50;
/** Together 20,000 deliveries a second, more than a worker can send. */
const FLOOD_SUBSCRIPTIONS = 100;
const FLOOD_EVENTS_PER_SECOND = 200;

/** What one account that floods costs the others: their latency with and without it. */
export async function flood(environment: Environment, seconds: number): Promise<Figures> {
  await using running = new AsyncDisposableStack();
  running.use(await environment.startWorker());
  const producer = running.use(await startProducer(environment));
  const flooding = running.use(await startProducer(environment));
  const accountIds: string[] = [];
  for (let i = 0; i < QUIET_ACCOUNTS; i += 1) {
    accountIds.push((await environment.subscribe()).accountId);
  }
  // Apart, as the receivers of different accounts are: one origin gets only so many connections.
  const { origin } = running.use(await receiverOf(startChild('webhooks/receiver.ts')));
  const noisy = await subscribeManyOfOne(environment, FLOOD_SUBSCRIPTIONS, origin);
  const quiet = { accountIds, rate: QUIET_EVENTS_PER_SECOND };
  await drive(environment, producer, { ...quiet, seconds: 2 });

  const without = await drive(environment, producer, { ...quiet, seconds });
  const flooded = append(flooding, {
    accountIds: [noisy],
    rate: FLOOD_EVENTS_PER_SECOND,
    seconds,
    outstandingMax: Infinity,
  });
  const beside = await drive(environment, producer, { ...quiet, seconds });
  await flooded;
  const figures: Figures = {};
  for (const q of [0.5, 0.99]) {
    const withoutMs = quantile(without.latenciesMs, q);
    const besideMs = quantile(beside.latenciesMs, q);
    figures[`p${q * 100} without, ms`] = withoutMs;
    figures[`p${q * 100} beside a flood, ms`] = besideMs;
    figures[`p${q * 100} ratio`] = besideMs / withoutMs;
  }
  return { ...figures, lost: without.lost + beside.lost };
}

/** Subscriptions of one account, whose id it returns. */
async function subscribeManyOfOne(
  environment: Environment,
  count: number,
  url: string,
): Promise<string> {
  const { accountId } = await environment.subscribe(url);
  for (let i = 1; i < count; i += 1) {
    const { id } = await environment.subscribe(url);
    await environment.webhooks.query('UPDATE subscriptions SET account_id = $1 WHERE id = $2', [
      accountId,
      id,
    ]);
  }
  return accountId;
}
