import type { Figures } from '../figures.ts';
import { drive, startProducer } from './end-to-end.ts';
import type { Environment } from './environment.ts';

const SUBSCRIPTIONS = 100;
const EVENTS_PER_SECOND = 150;
const SECONDS = 4;

/** Each event goes to 100 subscriptions: deliveries a second, more events than it can keep up with. */
export async function fanOut(environment: Environment): Promise<Figures> {
  const { receiver } = environment;
  await using running = new AsyncDisposableStack();
  running.use(await environment.startWorker());
  const producer = running.use(await startProducer(environment));
  const accountId = await subscribeManyOfOne(environment, SUBSCRIPTIONS);
  const load = { accountIds: [accountId], seconds: SECONDS, rate: EVENTS_PER_SECOND };
  const run = await drive(environment, producer, load);
  const report = await receiver.waitFor(run.appended * SUBSCRIPTIONS, 60_000);
  return {
    'deliveries/s': report.received / ((report.lastMs - report.firstMs) / 1000),
    lost: run.appended * SUBSCRIPTIONS - report.received,
  };
}

/** Subscriptions of one account, whose id it returns. */
export async function subscribeManyOfOne(
  environment: Environment,
  count: number,
  url?: string,
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
