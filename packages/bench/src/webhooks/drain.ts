import { cpuSeconds } from '../cpu-time.ts';
import type { Figures } from '../figures.ts';
import { seedPending } from './seed.ts';
import type { Subscription, Environment } from './environment.ts';

const TIMEOUT_MS = 300_000;

export async function subscribeMany(
  environment: Environment,
  count: number,
): Promise<Subscription[]> {
  const subscriptions: Subscription[] = [];
  for (let i = 0; i < count; i += 1) subscriptions.push(await environment.subscribe());
  return subscriptions;
}

/**
 * Deliveries a second when `count` are already due, from the first request to the last stored
 * attempt, and the CPU that 1,000 of them take.
 */
export async function drain(
  environment: Environment,
  subscriptions: readonly Subscription[],
  { count, workers }: { count: number; workers: number },
): Promise<Figures> {
  const { webhooks, receiver, serverPids } = environment;
  await seedPending(webhooks, subscriptions, count);
  await receiver.reset();
  const [{ attempts: attemptsBefore }] = (
    await webhooks.query('SELECT count(*)::int AS attempts FROM attempts')
  ).rows;
  const before = await Promise.all(Object.values(serverPids).map(cpuSeconds));
  await using running = new AsyncDisposableStack();
  const children = [];
  for (let i = 0; i < workers; i += 1) children.push(running.use(await environment.startWorker()));
  // A worker's start is not part of it.
  await receiver.waitFor(1, TIMEOUT_MS);
  const workersBefore = await Promise.all(children.map(({ pid }) => cpuSeconds(pid)));
  const report = await receiver.waitFor(count, TIMEOUT_MS);
  for (;;) {
    const left = await webhooks.query('SELECT 1 FROM undelivered WHERE due_at <= now() LIMIT 1');
    if (left.rowCount === 0) break;
  }
  const seconds = (performance.timeOrigin + performance.now() - report.firstMs) / 1000;
  const after = await Promise.all(Object.values(serverPids).map(cpuSeconds));
  const workersAfter = await Promise.all(children.map(({ pid }) => cpuSeconds(pid)));
  const [{ attempts }] = (await webhooks.query('SELECT count(*)::int AS attempts FROM attempts'))
    .rows;
  if (attempts - attemptsBefore !== count || report.distinct !== count) {
    throw new Error(`${report.distinct} arrived, ${attempts - attemptsBefore} attempts stored`);
  }
  const per1000 = (from: readonly (number | undefined)[], to: readonly (number | undefined)[]) =>
    (to.reduce<number>((sum, value, i) => sum + (value ?? NaN) - (from[i] ?? NaN), 0) / count) *
    1000;
  return {
    'deliveries/s': count / seconds,
    'worker CPU s / 1,000': per1000(workersBefore, workersAfter),
    'Postgres CPU s / 1,000': per1000(before.slice(0, 1), after.slice(0, 1)),
    'Redis CPU s / 1,000': per1000(before.slice(1), after.slice(1)),
  };
}
