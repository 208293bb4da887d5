import { setTimeout as sleep } from 'node:timers/promises';
import { Answers } from './answers.ts';
import type { Attack } from './attack.ts';
import type { Bystander } from './bystander.ts';
import type { Field } from './field.ts';
import { type Memory, memoryAtRest, watchPeaks } from './memory.ts';
import type { ProbeName, Probed } from './probe-worker.ts';

export interface AttackResult {
  name: string;
  title: string;
  answers: string;
  before: Record<ProbeName, Probed>;
  during: Record<ProbeName, Probed>;
  memory: { before: Memory; peak: Memory; after: Memory };
  tookMs: number;
  /** What must not be: processes that ended or are not ready, wrong answers, lost writes. */
  faults: string[];
}

const BEFORE_MS = 5_000;
const READY_WITHIN_MS = 5_000;
const STRIKE_MAX_MS = 240_000;
/** After an attack memory may be so many times as large as before. */
export const MEMORY_RATIO_MAX = 1.2;
const REASON_LENGTH_MAX = 200;

export async function runAttack(
  field: Field,
  bystander: Bystander,
  attack: Attack,
): Promise<AttackResult> {
  const { processes } = field.platform;
  const strike = await attack.prepare(field);
  const calm = bystander.watch();
  await sleep(BEFORE_MS);
  const before = await calm.stop();
  const memoryBefore = await memoryAtRest(processes, () => Number.POSITIVE_INFINITY);
  const pids = new Map(processes.map(({ name, pid }) => [name, pid]));
  const logged = (await field.logLines()).length;

  const answers = new Answers();
  const startMs = Date.now();
  const peaks = watchPeaks(processes);
  const watch = bystander.watch();
  const faults = await within(STRIKE_MAX_MS, strike(answers, bystander));
  const notReady = await processesNotReady(field);
  const tookMs = Date.now() - startMs;
  const peak = await peaks.stop();

  const ended = processes.filter(({ name, pid, running }) => !running || pids.get(name) !== pid);
  const lines = ended.length > 0 ? await field.logLines() : [];
  for (const { name } of ended) {
    const last = lines.slice(logged).filter((line) => line.startsWith(`${name} `));
    faults.push(`${name} ended: ${reasonIn(last)}`);
  }
  // Whoever restarts processes would: the next attack needs all of them, and so does the next line.
  for (const child of ended) await child.restart();
  const during = await watch.stop();
  faults.push(...notReady.map((name) => `${name} is not ready within 5 s`));
  faults.push(...answers.faults.map((name) => `the attacker got ${name}`));
  for (const [probe, { wrong }] of Object.entries(during)) {
    for (const [outcome, count] of Object.entries(wrong)) {
      faults.push(`the bystander's ${probe}: ${count} × ${outcome}`);
    }
  }
  if (attack.stopsPostgres === true && during.redirect.refused > 0) {
    faults.push(`${during.redirect.refused} redirects were refused`);
  }
  const after = await memoryAtRest(
    processes,
    (name) => (memoryBefore.get(name) ?? 0) * MEMORY_RATIO_MAX,
  );
  return {
    name: attack.name,
    title: attack.title,
    answers: String(answers),
    before,
    during,
    memory: { before: memoryBefore, peak, after },
    tookMs,
    faults,
  };
}

/** Starts what ended outside of an attack. @returns what ended */
export async function reviveProcesses({ platform }: Field): Promise<string[]> {
  const ended = platform.processes.filter(({ running }) => !running);
  for (const child of ended) await child.restart();
  return ended.map(({ name }) => name);
}

/** What is wrong with the attack itself is a fault too: a service that no longer answers may break it. */
async function within(timeoutMs: number, strike: Promise<string[] | void>): Promise<string[]> {
  const late = sleep(timeoutMs, [`not over within ${timeoutMs / 1000} s`], { ref: false });
  try {
    return [...((await Promise.race([strike, late])) ?? [])];
  } catch (error) {
    return [`the attack failed: ${error instanceof Error ? error.message : String(error)}`];
  }
}

async function processesNotReady({ readyUrls }: Field): Promise<string[]> {
  const endMs = Date.now() + READY_WITHIN_MS;
  const waiting = new Map(readyUrls);
  while (waiting.size > 0 && Date.now() < endMs) {
    for (const [name, url] of waiting) {
      const signal = AbortSignal.timeout(Math.max(1, endMs - Date.now()));
      const status = await fetch(url, { signal }).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 0,
      );
      if (status === 200) waiting.delete(name);
    }
    if (waiting.size > 0) await sleep(100);
  }
  return [...waiting.keys()];
}

/** What V8 says of a heap that is full, or else the last line. */
function reasonIn(lines: readonly string[]): string {
  const line = lines.find((one) => one.includes('FATAL ERROR')) ?? lines.at(-1) ?? 'no word';
  return line.slice(0, REASON_LENGTH_MAX);
}
