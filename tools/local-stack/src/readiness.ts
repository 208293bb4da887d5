import { setTimeout as sleep } from 'node:timers/promises';
import { isPortFree } from './ports.ts';
import { PROCESSES, type ProcessSpec } from './processes/process-table.ts';

/** Long, because a busy machine starts all processes at once. */
const READY_TIMEOUT_MS = 90_000;
const POLL_INTERVAL_MS = 40;

/**
 * Waits until a process says that it and its servers are ready.
 * @throws Error with its last answer after 90 s, or when the signal is aborted
 */
export async function untilReady(
  spec: ProcessSpec,
  portBase: number,
  signal?: AbortSignal,
): Promise<void> {
  const url = `http://127.0.0.1:${portBase + (spec.portOffset ?? spec.metricsOffset)}/readyz`;
  const deadlineMs = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await fetch(url, { signal: signal ?? null }).then(
      async (response) => ({ status: response.status, text: await response.text() }),
      () => null,
    );
    if (answer?.status === 200) return;
    if (Date.now() > deadlineMs) {
      const state = answer === null ? 'no answer' : `${answer.status} ${answer.text}`;
      throw new Error(`${spec.name} is not ready at ${url} (${state}).`);
    }
    await sleep(POLL_INTERVAL_MS);
  }
}

/** @throws Error that names the ports of the platform on which another program listens */
export async function refuseTakenPorts(portBase: number): Promise<void> {
  const ports = PROCESSES.flatMap(({ portOffset, metricsOffset }) =>
    portOffset === null ? [metricsOffset] : [portOffset, metricsOffset],
  ).map((offset) => portBase + offset);
  const free = await Promise.all(ports.map((port) => isPortFree(port)));
  const taken = ports.filter((_, index) => free[index] !== true);
  if (taken.length > 0) {
    throw new Error(`Port ${taken.join(', ')} is taken: set PORT_BASE to another number.`);
  }
}
