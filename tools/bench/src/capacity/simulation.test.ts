import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { DOCUMENT, withReport } from './capacity.ts';
import { simulate, type Stage } from './simulation.ts';

const STAGES: Stage[] = [
  { name: 'ask', part: 'service', cpuMs: 0.2, batchMax: 1, waitMs: 0 },
  { name: 'store', part: 'database', cpuMs: 0.5, batchMax: 10, waitMs: 1 },
  { name: 'send', part: 'service', cpuMs: 0.1, batchMax: 1, waitMs: 0, reachesReceiver: true },
];
const LOAD = { clicksPerSecond: 1_500, seconds: 2, seed: 1, cores: { service: 2, database: 1 } };

describe('simulate', () => {
  test('gives the same with the same seed, and something else with another', () => {
    const outcome = simulate(STAGES, LOAD);
    expect(simulate(STAGES, LOAD)).toEqual(outcome);
    expect(simulate(STAGES, { ...LOAD, seed: 2 })).not.toEqual(outcome);
  });

  test('keeps the cores busy for what the clicks cost, and no queue grows', () => {
    const { utilisation, waiting, latenciesMs } = simulate(STAGES, LOAD);
    expect(utilisation['service']).toBeCloseTo((1.5 * (0.2 + 0.1)) / 2, 1);
    expect(utilisation['database']).toBeCloseTo(1.5 * 0.5, 1);
    expect(waiting.end).toBeLessThan(100);
    expect(Math.min(...latenciesMs)).toBeGreaterThan(1);
  });

  test('lets the queue grow by what a part cannot carry', () => {
    const { utilisation, waiting } = simulate(STAGES, { ...LOAD, clicksPerSecond: 3_000 });
    expect(utilisation['database']).toBeCloseTo(1, 1);
    const { half, end } = waiting;
    // A thousand a second too many, for two seconds.
    expect(end / 2_000).toBeCloseTo(1, 0);
    expect(end / half).toBeCloseTo(2, 0);
  });

  test('a stage that takes one batch at a time carries no more with more cores', () => {
    const [ask, store, send] = STAGES;
    if (!ask || !store || !send) throw new Error('three stages');
    const alone = [ask, { ...store, parallelMax: 1 }, send];
    const load = { ...LOAD, clicksPerSecond: 3_000, cores: { service: 2, database: 16 } };
    const { half, end } = simulate(alone, load).waiting;
    expect(end).toBeGreaterThan(half + 500);
    expect(simulate(STAGES, load).waiting.end).toBeLessThan(100);
  });
});

test('docs/capacity.md has what the costs say', async () => {
  const document = await readFile(DOCUMENT, 'utf8');
  expect(document).toBe(withReport(document));
});
