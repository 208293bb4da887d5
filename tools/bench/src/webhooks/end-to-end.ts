import { type Child, startChild } from '../child.ts';
import { cpuSecondsOf } from '../cpu-time.ts';
import { quantile, type Figures } from '../figures.ts';
import { PADDING } from './seed.ts';
import { QUEUE_PREFIX, type Environment } from './environment.ts';

/** Limit of events that are appended but not received, while the highest rate is measured. */
const OUTSTANDING_MAX = 2_000;
const QUIET_MS = 60_000;

interface Load {
  accountIds: string[];
  seconds: number;
  rate: number;
}

/** A producer process; without a relay its events stay in the outbox. */
export async function startProducer(
  environment: Environment,
  { hasRelay = true } = {},
): Promise<Child> {
  const child = startChild('webhooks/producer.ts', [
    environment.linksUrl,
    hasRelay ? environment.redisUrl : '',
    QUEUE_PREFIX,
  ]);
  await child.next<{ ready: true }>('ready');
  return child;
}

/** Makes the producer append events; returns how many. */
export async function append(
  producer: Child,
  load: Load & { outstandingMax: number },
): Promise<number> {
  const done = producer.next<{ appended: number }>('appended');
  producer.process.send({ load: { ...load, padding: PADDING } });
  return (await done).appended;
}

/** Appends events at a rate and waits until all have arrived. */
export async function drive(environment: Environment, producer: Child, load: Load) {
  const { accountIds, seconds, rate } = load;
  const { receiver } = environment;
  await receiver.reset();
  let base: number | undefined;
  let isAsking = false;
  const feedback = setInterval(() => {
    if (isAsking) return;
    isAsking = true;
    void receiver.report().then(({ received }) => {
      isAsking = false;
      producer.process.send({ received: (base ?? 0) + received });
    });
  }, 20);
  const startedMs = performance.now();
  base = appendedBefore.get(producer) ?? 0;
  const appended = await append(producer, {
    accountIds,
    seconds,
    rate,
    outstandingMax: OUTSTANDING_MAX,
  });
  appendedBefore.set(producer, base + appended);
  const receivedInTime = (await receiver.report()).received;
  const secondsTaken = (performance.now() - startedMs) / 1000;
  await receiver.waitFor(appended, QUIET_MS);
  clearInterval(feedback);
  const report = await receiver.report('latencies');
  return {
    appended,
    perSecond: receivedInTime / secondsTaken,
    lost: appended - report.distinct,
    copies: report.received - report.distinct,
    latenciesMs: report.latenciesMs ?? [],
  };
}

const appendedBefore = new WeakMap<Child, number>();

/** The highest rate of events without a growing backlog, and latencies at shares of it. */
export async function endToEnd(environment: Environment, seconds: number): Promise<Figures> {
  await using running = new AsyncDisposableStack();
  const worker = running.use(await environment.startWorker());
  const producer = running.use(await startProducer(environment));
  const accountIds: string[] = [];
  for (let i = 0; i < 50; i += 1) accountIds.push((await environment.subscribe()).accountId);
  await drive(environment, producer, { accountIds, seconds: 2, rate: 500 });

  const { postgres, redis } = environment.serverPids;
  const pids = { producer: producer.pid, worker: worker.pid, Postgres: postgres, Redis: redis };
  const before = await cpuSecondsOf(pids);
  const most = await drive(environment, producer, { accountIds, seconds, rate: 0 });
  const after = await cpuSecondsOf(pids);
  const figures: Figures = { 'events/s': most.perSecond };
  for (const [name, used] of Object.entries(after)) {
    const per = (used - (before[name] ?? NaN)) / most.appended;
    figures[`${name} CPU s / 1,000`] = per * 1000;
  }
  let lost = most.lost;
  for (const share of [0.25, 0.5, 0.8]) {
    const run = await drive(environment, producer, {
      accountIds,
      seconds,
      rate: most.perSecond * share,
    });
    lost += run.lost;
    for (const q of [0.5, 0.95, 0.99]) {
      figures[`latency p${q * 100} at ${share * 100} %, ms`] = quantile(run.latenciesMs, q);
    }
  }
  return { ...figures, lost };
}
