import { createRandom } from '../search/random.ts';

/** One thing that is done for each click; a part may do several of them. */
export interface Stage {
  name: string;
  part: string;
  /** For each click, also of a batch. */
  cpuMs: number;
  /** A free core takes as many of the clicks that wait. */
  batchMax: number;
  /** After that, without a core: until a commit or an answer. */
  waitMs: number;
  /** Batches at a time, whatever the cores. */
  parallelMax?: number;
  /** When it ends, the receiver has got the event. */
  reachesReceiver?: true;
}

interface Load {
  clicksPerSecond: number;
  seconds: number;
  seed: number;
  /** By part. */
  cores: Record<string, number>;
}

interface Outcome {
  /** Share of the time in which the cores of a part were busy. */
  utilisation: Record<string, number>;
  /** Clicks that waited, before all stages together, when half of the time was over and at the end. */
  waiting: { half: number; end: number };
  /** From the click to the receiver, of clicks after the first fifth of the time. */
  latenciesMs: number[];
}

/**
 * Queues with several servers, one stage after another, by discrete events: clicks come at random (Poisson), and the time
 * of a batch is distributed exponentially. Of the stages of a part, a free core serves the one whose first click is the
 * oldest.
 */
export function simulate(stages: readonly Stage[], load: Load): Outcome {
  const { clicksPerSecond, seconds, seed, cores } = load;
  const endMs = seconds * 1000;
  const random = createRandom(seed);
  const exponential = (mean: number) => -Math.log(1 - random()) * mean;
  const agenda = new Agenda();
  const queues = stages.map((stage) => ({ stage, clickedMs: [] as number[], running: 0 }));
  const parts = Object.entries(cores).map(([name, count]) => {
    const own = queues.filter(({ stage }) => stage.part === name);
    return { name, count, queues: own, free: count, busyMs: 0 };
  });
  const latenciesMs: number[] = [];

  type Part = (typeof parts)[number];
  const start = (part: Part, nowMs: number) => {
    while (part.free > 0) {
      const [queue] = part.queues
        .filter(({ clickedMs, running, stage }) => {
          return clickedMs.length > 0 && running < (stage.parallelMax ?? Infinity);
        })
        .toSorted((a, b) => (a.clickedMs[0] ?? 0) - (b.clickedMs[0] ?? 0));
      if (queue === undefined) return;
      const { cpuMs, batchMax, waitMs, reachesReceiver } = queue.stage;
      const batch = queue.clickedMs.splice(0, batchMax);
      const takesMs = exponential(cpuMs * batch.length);
      part.free -= 1;
      part.busyMs += Math.min(takesMs, endMs - nowMs);
      queue.running += 1;
      agenda.add(nowMs + takesMs, (atMs) => {
        part.free += 1;
        start(part, atMs);
      });
      agenda.add(nowMs + takesMs + waitMs, (atMs) => {
        queue.running -= 1;
        start(part, atMs);
        const counted = reachesReceiver ? batch.filter((clickedMs) => clickedMs > endMs / 5) : [];
        latenciesMs.push(...counted.map((clickedMs) => atMs - clickedMs));
        arrive(queues.indexOf(queue) + 1, batch, atMs);
      });
    }
  };
  const arrive = (at: number, batch: readonly number[], nowMs: number) => {
    const queue = queues[at];
    queue?.clickedMs.push(...batch);
    const part = parts.find(({ name }) => name === queue?.stage.part);
    if (part !== undefined) start(part, nowMs);
  };
  const click = (nowMs: number) => {
    agenda.add(nowMs + exponential(1000 / clicksPerSecond), click);
    arrive(0, [nowMs], nowMs);
  };
  const waiting = () => queues.reduce((sum, { clickedMs }) => sum + clickedMs.length, 0);

  click(0);
  agenda.runUntil(endMs / 2);
  const half = waiting();
  agenda.runUntil(endMs);
  return {
    utilisation: Object.fromEntries(
      parts.map(({ name, count, busyMs }) => [name, busyMs / (count * endMs)]),
    ),
    waiting: { half, end: waiting() },
    latenciesMs,
  };
}

type Action = (nowMs: number) => void;

/** What will happen, the next last: few things at a time, one for each core that is busy and batch that waits. */
class Agenda {
  readonly #entries: { atMs: number; action: Action }[] = [];

  add(atMs: number, action: Action): void {
    const later = this.#entries.findLastIndex((entry) => entry.atMs >= atMs);
    this.#entries.splice(later + 1, 0, { atMs, action });
  }

  runUntil(endMs: number): void {
    for (;;) {
      const next = this.#entries.at(-1);
      if (next === undefined || next.atMs >= endMs) return;
      this.#entries.pop();
      next.action(next.atMs);
    }
  }
}
