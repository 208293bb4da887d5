import { cpuSeconds } from '../cpu-time.ts';
import type { Figures } from '../figures.ts';
import { seedPending } from './seed.ts';
import type { Subscription, Environment } from './environment.ts';

const ENDPOINTS = 50;
const DELIVERIES = 50_000;
const TIMEOUT_MS = 300_000;

/**
 * Deliveries a second when 50,000 are already due, from the first request to the last stored
 * attempt, and the CPU that 1,000 of them take.
 */
export async function drain(environment: Environment): Promise<Figures> {
  const { webhooks, receiver, serverPids } = environment;
  const subscriptions: Subscription[] = [];
  for (let i = 0; i < ENDPOINTS; i += 1) subscriptions.push(await environment.subscribe());
  await seedPending(webhooks, subscriptions, DELIVERIES);
  await receiver.reset();
  const [{ attempts: attemptsBefore }] = (
    await webhooks.query('SELECT count(*)::int AS attempts FROM attempts')
  ).rows;
  const before = await Promise.all(Object.values(serverPids).map(cpuSeconds));
  await using worker = await environment.startWorker();
  // A worker's start is not part of it.
  await receiver.waitFor(1, TIMEOUT_MS);
  const workerBefore = await cpuSeconds(worker.pid);
  const report = await receiver.waitFor(DELIVERIES, TIMEOUT_MS);
  for (;;) {
    const left = await webhooks.query('SELECT 1 FROM undelivered WHERE due_at <= now() LIMIT 1');
    if (left.rowCount === 0) break;
  }
  const seconds = (performance.timeOrigin + performance.now() - report.firstMs) / 1000;
  const after = await Promise.all(Object.values(serverPids).map(cpuSeconds));
  const workerAfter = await cpuSeconds(worker.pid);
  const [{ attempts }] = (await webhooks.query('SELECT count(*)::int AS attempts FROM attempts'))
    .rows;
  if (attempts - attemptsBefore !== DELIVERIES || report.distinct !== DELIVERIES) {
    throw new Error(`${report.distinct} arrived, ${attempts - attemptsBefore} attempts stored`);
  }
  const per1000 = (from: readonly (number | undefined)[], to: readonly (number | undefined)[]) =>
    (to.reduce<number>((sum, value, i) => sum + (value ?? NaN) - (from[i] ?? NaN), 0) /
      DELIVERIES) *
    1000;
  return {
    'deliveries/s': DELIVERIES / seconds,
    'worker CPU s / 1,000': per1000([workerBefore], [workerAfter]),
    'Postgres CPU s / 1,000': per1000(before.slice(0, 1), after.slice(0, 1)),
    'Redis CPU s / 1,000': per1000(before.slice(1), after.slice(1)),
  };
}
