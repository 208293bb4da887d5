import { expect, test } from 'vitest';
import { createFaults, DISK_FULL } from '../../chaos/faults.ts';
import { runFault } from '../../chaos/run-fault.ts';
import { environment } from './environment.ts';

const EVENTS = 1_000;
const faults = createFaults({ killMs: 5_000, outageMs: 5_000, receiverMs: 5_000 });

test.each([
  ['the worker is killed repeatedly', 'worker'],
  ['Redis is flushed twice', 'flushall'],
  ['Redis is stopped for 5 s', 'redis'],
  ['auth is killed repeatedly', 'auth'],
  // It waits until a write fails because of it.
  ['the disk of Postgres is full', DISK_FULL],
])(
  'delivers every accepted event although %s',
  async (_, name) => {
    const fault = faults.find((known) => known.name === name);
    if (fault === undefined) throw new Error(`no fault ${name}`);
    const result = await runFault(environment, fault, EVENTS, new AbortController().signal);
    expect(result).toMatchObject({
      accepted: EVENTS,
      delivered: EVENTS,
      lost: 0,
      doubles: 0,
      forged: 0,
    });
    expect(result.unclear).toEqual([]);
    expect(environment.platform.processes.every((child) => child.running)).toBe(true);
  },
  600_000,
);
