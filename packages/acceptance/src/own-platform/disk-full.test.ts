import { afterAll, expect, test } from 'vitest';
import { startChaosEnvironment } from '../chaos/chaos-environment.ts';
import { createFaults, DISK_FULL } from '../chaos/faults.ts';
import { runFault } from '../chaos/run-fault.ts';

const EVENTS = 1_000;
const faults = createFaults({ killMs: 5_000, outageMs: 5_000, receiverMs: 5_000 });

const environment = await startChaosEnvironment(true);
afterAll(() => environment[Symbol.asyncDispose](), 60_000);

test('refuses with 503 while the disk of Postgres is full, then delivers every accepted event', async () => {
  const fault = faults.find(({ name }) => name === DISK_FULL);
  if (fault === undefined) throw new Error('no such fault');
  // It waits until a write is refused with 503 because of the disk.
  const result = await runFault(environment, fault, EVENTS, new AbortController().signal);
  expect(result).toMatchObject({ accepted: EVENTS, delivered: EVENTS, lost: 0, forged: 0 });
  expect(result.unclear).toEqual([]);
  expect(environment.platform.processes.every((child) => child.running)).toBe(true);
}, 600_000);
