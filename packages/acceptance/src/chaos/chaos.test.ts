import { afterAll, expect, test } from 'vitest';
import { createFaults } from './faults.ts';
import { runFault } from './run-fault.ts';
import { startWorld } from './world.ts';

/** The small form of `pnpm chaos`. */
const EVENTS = 1_000;
const faults = createFaults({ killingMs: 5_000, outageMs: 5_000, receiverMs: 5_000 });
const signal = new AbortController().signal;

const world = await startWorld();
afterAll(() => world[Symbol.asyncDispose](), 60_000);

test.each([
  ['the worker is killed again and again', 'worker'],
  ['Redis forgets everything, twice', 'flushall'],
  ['Redis is away for 5 s', 'redis'],
])(
  'every accepted event is delivered though %s',
  async (_, name) => {
    const fault = faults.find((known) => known.name === name);
    if (fault === undefined) throw new Error(`no fault ${name}`);
    const result = await runFault(world, fault, EVENTS, signal);
    expect(result).toMatchObject({ accepted: EVENTS, delivered: EVENTS, lost: 0, forged: 0 });
  },
  600_000,
);
