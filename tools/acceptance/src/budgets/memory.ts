import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ManagedProcess } from '@atrium/local-stack/managed-process';

/** Resident memory in MB by process; 0 for one that has ended. */
export type Memory = ReadonlyMap<string, number>;

const SAMPLE_MS = 200;
const SETTLE_MS = 15_000;

async function readMemory(processes: readonly ManagedProcess[]): Promise<Memory> {
  const entries = processes.map(async ({ name, pid }): Promise<[string, number]> => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return [name, Math.round(Number(kilobytes) / 1024)];
  });
  return new Map(await Promise.all(entries));
}

/** @returns the memory after collecting: once it is at most as large as this, or after 15 s */
export async function memoryAtRest(
  processes: readonly ManagedProcess[],
  most: (name: string) => number,
): Promise<Memory> {
  const endMs = Date.now() + SETTLE_MS;
  for (;;) {
    // Every process is started with `collect-on-signal.mjs`.
    for (const { pid, running } of processes) if (running) process.kill(pid, 'SIGUSR2');
    await sleep(1_000);
    const memory = await readMemory(processes);
    const isSettled = memory.entries().every(([name, size]) => size <= most(name));
    if (isSettled || Date.now() > endMs) return memory;
  }
}

/** The largest memory of each process until `stop` is called. */
export function watchPeaks(processes: readonly ManagedProcess[]): { stop(): Promise<Memory> } {
  const peaks = new Map<string, number>();
  const stopping = new AbortController();
  const watching = (async () => {
    while (!stopping.signal.aborted) {
      for (const [name, size] of await readMemory(processes)) {
        peaks.set(name, Math.max(size, peaks.get(name) ?? 0));
      }
      await sleep(SAMPLE_MS);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await watching;
      return peaks;
    },
  };
}
