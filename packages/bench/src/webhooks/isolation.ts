import { quantile, type Figures } from '../figures.ts';
import { drive, startProducer } from './end-to-end.ts';
import type { Environment } from './environment.ts';

const ENDPOINTS = 50;
const EVENTS_PER_SECOND = 1_000;
/** Short, so that the hanging endpoint reaches its deadline several times during the run. */
const TIMEOUT_MS = 2_000;

/** What one endpoint that never answers costs the 49 others: their p99 with and without it. */
export async function isolation(environment: Environment, seconds: number): Promise<Figures> {
  await using running = new AsyncDisposableStack();
  running.use(await environment.startWorker({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) }));
  const producer = running.use(await startProducer(environment));
  const healthy: string[] = [];
  for (let i = 1; i < ENDPOINTS; i += 1) healthy.push((await environment.subscribe()).accountId);
  const { accountId: hanging, id } = await environment.subscribe('/hang');
  const rate = EVENTS_PER_SECOND;
  await drive(environment, producer, { accountIds: healthy, seconds: 2, rate });

  const without = await drive(environment, producer, { accountIds: healthy, seconds, rate });
  // The hanging endpoint gets its events as well; the receiver counts only those it answers.
  const accountIds = [...healthy, hanging];
  const answered = healthy.length / ENDPOINTS;
  const beside = await drive(environment, producer, { accountIds, seconds, rate, answered });
  await environment.webhooks.query('UPDATE subscriptions SET enabled = false WHERE id = $1', [id]);
  const p99Without = quantile(without.latenciesMs, 0.99);
  const p99Beside = quantile(beside.latenciesMs, 0.99);
  return {
    'p99 without, ms': p99Without,
    'p99 beside a hanging one, ms': p99Beside,
    ratio: p99Beside / p99Without,
  };
}
