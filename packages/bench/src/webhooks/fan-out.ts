import type { Figures } from '../figures.ts';
import { drive, startProducer } from './end-to-end.ts';
import type { World } from './world.ts';

const SUBSCRIPTIONS = 100;
const EVENTS_PER_SECOND = 150;
const SECONDS = 4;

/** (d) Each event goes to 100 subscriptions: deliveries a second, more events than it can keep up with. */
export async function fanOut(world: World): Promise<Figures> {
  const { webhooks, receiver } = world;
  await using running = new AsyncDisposableStack();
  running.use(await world.startWorker());
  const producer = running.use(await startProducer(world));
  const { accountId } = await world.subscribe();
  for (let i = 1; i < SUBSCRIPTIONS; i += 1) {
    const other = await world.subscribe();
    await webhooks.query('UPDATE subscriptions SET account_id = $1 WHERE id = $2', [
      accountId,
      other.id,
    ]);
  }
  const wish = { accountIds: [accountId], seconds: SECONDS, rate: EVENTS_PER_SECOND };
  const run = await drive(world, producer, wish);
  const report = await receiver.waitFor(run.appended * SUBSCRIPTIONS, 60_000);
  return {
    'deliveries/s': report.received / ((report.lastMs - report.firstMs) / 1000),
    lost: run.appended * SUBSCRIPTIONS - report.received,
  };
}
