import { type Child, startChild } from '../child.ts';
import { quantile, type Figures } from '../figures.ts';
import { FILLING } from './seed.ts';
import { QUEUE_PREFIX, type World } from './world.ts';

/** Events appended but not yet received while the most is looked for. */
const OUTSTANDING_MAX = 2_000;
const QUIET_MS = 60_000;

interface Drive {
  accountIds: string[];
  seconds: number;
  rate: number;
  /** The share of the events that the receiver will answer; all of them by default. */
  answered?: number;
}

/** A producer process, beside the world's receiver and a worker that runs already. */
export async function startProducer(world: World): Promise<Child> {
  const child = startChild('webhooks/producer.ts', [
    world.producerUrl,
    world.redisUrl,
    QUEUE_PREFIX,
  ]);
  await child.next((message) => (isObject(message) && message['ready'] ? true : undefined));
  return child;
}

/** Drives events through the producer and waits until each has arrived. */
export async function drive(world: World, producer: Child, wish: Drive) {
  const { accountIds, seconds, rate, answered = 1 } = wish;
  const { receiver } = world;
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
  const done = producer.next((message) =>
    isObject(message) && typeof message['appended'] === 'number' ? message['appended'] : undefined,
  );
  base = appendedBefore.get(producer) ?? 0;
  producer.process.send({
    wish: { accountIds, filling: FILLING, seconds, rate, outstandingMax: OUTSTANDING_MAX },
  });
  const appended = await done;
  appendedBefore.set(producer, base + appended);
  const receivedInTime = (await receiver.report()).received;
  const secondsTaken = (performance.now() - startedMs) / 1000;
  await receiver.waitFor(Math.floor(appended * answered), QUIET_MS);
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

/** (c) Events a second that go through without a growing backlog, and the latency at parts of it. */
export async function endToEnd(world: World, seconds: number): Promise<Figures> {
  await using running = new AsyncDisposableStack();
  running.use(await world.startWorker());
  const producer = running.use(await startProducer(world));
  const accountIds: string[] = [];
  for (let i = 0; i < 50; i += 1) accountIds.push((await world.subscribe()).accountId);
  await drive(world, producer, { accountIds, seconds: 2, rate: 500 });

  const most = await drive(world, producer, { accountIds, seconds, rate: 0 });
  const figures: Figures = { 'events/s': most.perSecond };
  let lost = most.lost;
  for (const share of [0.25, 0.5, 0.8]) {
    const run = await drive(world, producer, { accountIds, seconds, rate: most.perSecond * share });
    lost += run.lost;
    for (const q of [0.5, 0.95, 0.99]) {
      figures[`latency p${q * 100} at ${share * 100} %, ms`] = quantile(run.latenciesMs, q);
    }
  }
  return { ...figures, lost };
}

function isObject(message: unknown): message is Record<string, unknown> {
  return typeof message === 'object' && message !== null;
}
