import { afterAll, expect, test } from 'vitest';
import { createFaults } from '../chaos/faults.ts';
import { runFault } from '../chaos/run-fault.ts';
import { startChaosEnvironment } from '../chaos/chaos-environment.ts';

const EVENTS = 1_000;
const faults = createFaults({ killMs: 5_000, outageMs: 5_000, receiverMs: 5_000 });
const signal = new AbortController().signal;

const environment = await startChaosEnvironment();
afterAll(() => environment[Symbol.asyncDispose](), 60_000);

test.each([
  ['the worker is killed repeatedly', 'worker'],
  ['Redis is flushed twice', 'flushall'],
  ['Redis is stopped for 5 s', 'redis'],
  ['auth is killed repeatedly', 'auth'],
])(
  'delivers every accepted event although %s',
  async (_, name) => {
    const fault = faults.find((known) => known.name === name);
    if (fault === undefined) throw new Error(`no fault ${name}`);
    const result = await runFault(environment, fault, EVENTS, signal);
    expect(result).toMatchObject({ accepted: EVENTS, delivered: EVENTS, lost: 0, forged: 0 });
    expect(result.unclear).toEqual([]);
  },
  600_000,
);
