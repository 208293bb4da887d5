import { mkdtemp, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFaults, type Fault, FULL_TIMES } from './faults.ts';
import { type FaultResult, runFault } from './run-fault.ts';
import { HEADINGS, tableLine, tableRow } from './table.ts';
import { startWorld, type World } from './world.ts';

const USAGE = 'Usage: pnpm chaos [--events N] [--fault NAME]... [--json FILE]';
const DEFAULT_EVENTS = 10_000;
const faults = createFaults(FULL_TIMES);

const say = (line: string) => process.stdout.write(`${line}\n`);

/** 0 when every accepted event of every fault was delivered. */
async function main(signal: AbortSignal): Promise<number> {
  const { events, chosen, jsonFile } = readArguments();
  say('Starting the platform …');
  await using world = await startWorld();
  signal.throwIfAborted();
  say(`${events} events for each fault; this takes a minute or two for each.\n`);
  say(tableLine(HEADINGS));
  const results: FaultResult[] = [];
  for (const fault of chosen) {
    const result = await runFault(world, fault, events, signal);
    results.push(result);
    say(tableLine(tableRow(result)));
  }
  if (jsonFile !== undefined) {
    const cores = availableParallelism();
    const report = { at: new Date().toISOString(), node: process.version, cores, events, results };
    await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  const bad = results.filter(({ lost, forged }) => lost > 0 || forged > 0);
  if (bad.length === 0) {
    say('\nNothing was lost.');
    return 0;
  }
  for (const { fault, lost, lostMarks } of bad) {
    say(`\n${fault}: ${lost} lost, such as\n  ${lostMarks.join('\n  ')}`);
  }
  say(`\nWhat the processes wrote is in ${await keepLog(world)}`);
  return 1;
}

function readArguments(): { events: number; chosen: Fault[]; jsonFile: string | undefined } {
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: String(DEFAULT_EVENTS) },
      fault: { type: 'string', multiple: true },
      json: { type: 'string' },
    },
  });
  const events = Number(values.events);
  if (!Number.isInteger(events) || events < 10) {
    throw new Error(`--events must be a whole number from 10, not "${values.events}".\n${USAGE}`);
  }
  const names = values.fault ?? faults.map(({ name }) => name);
  const chosen = names.map((name) => {
    const fault = faults.find((known) => known.name === name);
    if (fault !== undefined) return fault;
    const known = faults.map((each) => each.name).join(', ');
    throw new Error(`There is no fault "${name}": ${known}.\n${USAGE}`);
  });
  return { events, chosen, jsonFile: values.json };
}

async function keepLog({ logLines }: World): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'atrium-chaos-log-')), 'platform.log');
  await writeFile(file, `${logLines.join('\n')}\n`);
  return file;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (!stopping.signal.aborted) say('\nStopping …');
    stopping.abort();
  });
}
// Whoever reads our output may be gone: that must not keep us from stopping what we started.
process.stdout.on('error', () => undefined);
try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  process.exitCode = stopping.signal.aborted ? 130 : 1;
  if (!stopping.signal.aborted) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  }
}
