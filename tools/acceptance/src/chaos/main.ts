import { mkdtemp, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createFaults, DISK_FULL, type Fault, FULL_DURATIONS } from './faults.ts';
import { type FaultResult, runFault } from './run-fault.ts';
import { mountSmallDisk, NO_SMALL_DISK, type SmallDisk } from './small-disk.ts';
import { HEADINGS, tableLine, tableRow } from './table.ts';
import { startChaosEnvironment, type ChaosEnvironment } from './chaos-environment.ts';

const USAGE = 'Usage: pnpm chaos [--events N] [--fault NAME]... [--json FILE]';
const DEFAULT_EVENTS = 10_000;

const print = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the exit code: 0 when every accepted event of every fault was delivered */
async function main(signal: AbortSignal): Promise<number> {
  const { events, named, jsonFile } = readArguments();
  print('Starting the platform …');
  const disk = await openDisk(named);
  await using environment = await startChaosEnvironment(disk);
  const chosen = named ?? createFaults(FULL_DURATIONS, disk !== undefined);
  signal.throwIfAborted();
  print(`${events} events for each fault; this takes a minute or two for each.\n`);
  print(tableLine(HEADINGS));
  const results: FaultResult[] = [];
  for (const fault of chosen) {
    const result = await runFault(environment, fault, events, signal);
    results.push(result);
    print(tableLine(tableRow(result)));
  }
  if (jsonFile !== undefined) {
    const cores = availableParallelism();
    const report = { at: new Date().toISOString(), node: process.version, cores, events, results };
    await writeFile(jsonFile, `${JSON.stringify(report, null, 2)}\n`);
  }
  const failed = results.filter(
    ({ lost, doubles, forged, unclear }) =>
      lost > 0 || doubles > 0 || forged > 0 || unclear.length > 0,
  );
  if (failed.length === 0) {
    print('\nNothing was lost, nothing made twice, and every rejection was clear.');
    return 0;
  }
  for (const { fault, lost, doubles, forged, lostMarkers, unclear } of failed) {
    print(
      `\n${fault}: ${lost} lost, ${doubles} doubles, ${forged} forged, ${unclear.length} unclear rejections, such as`,
    );
    for (const line of [...lostMarkers, ...unclear]) print(`  ${line}`);
  }
  print(`\nThe logs of the processes are in ${await saveLogs(environment)}`);
  return 1;
}

/** What faults fill up, if any does. Where there can be no such disk, the fault is left out unless it was named. */
async function openDisk(named: Fault[] | undefined): Promise<SmallDisk | undefined> {
  if (named?.some(({ name }) => name === DISK_FULL || name === 'all') === false) return undefined;
  const mounting = mountSmallDisk();
  if (named !== undefined) return mounting;
  return mounting.catch(() => {
    print(`Without the fault ${DISK_FULL}: ${NO_SMALL_DISK}`);
    return undefined;
  });
}

function readArguments(): {
  events: number;
  /** Undefined when there are no names: all faults. */
  named: Fault[] | undefined;
  jsonFile: string | undefined;
} {
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
  const faults = createFaults(FULL_DURATIONS);
  const named = values.fault?.map((name) => {
    const fault = faults.find((known) => known.name === name);
    if (fault !== undefined) return fault;
    const known = faults.map((each) => each.name).join(', ');
    throw new Error(`There is no fault "${name}": ${known}.\n${USAGE}`);
  });
  return { events, named, jsonFile: values.json };
}

async function saveLogs({ logLines }: ChaosEnvironment): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'atrium-chaos-log-')), 'platform.log');
  await writeFile(file, `${(await logLines()).join('\n')}\n`);
  return file;
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    if (!stopping.signal.aborted) print('\nStopping …');
    stopping.abort();
  });
}
// A closed terminal must not keep us from stopping what we started.
process.stdout.on('error', () => undefined);
try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  process.exitCode = stopping.signal.aborted ? 130 : 1;
  if (!stopping.signal.aborted) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
  }
}
