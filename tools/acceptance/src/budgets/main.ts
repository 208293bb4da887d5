import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ARCHIVE_ATTACKS } from './archives.ts';
import type { Attack } from './attack.ts';
import { BODIES } from './bodies.ts';
import { type Bystander, startBystander } from './bystander.ts';
import { CLICKS_IN_OUTAGE } from './clicks.ts';
import { CROWDS } from './crowds.ts';
import { LARGE_DELIVERIES } from './deliveries.ts';
import { type Field, startField } from './field.ts';
import { reviveProcesses, runAttack } from './run-attack.ts';
import { STREAMS } from './streams.ts';
import { UNREAD } from './unread.ts';
import { describe, HEADING } from './table.ts';

const ATTACKS: readonly Attack[] = [
  ...BODIES,
  ...UNREAD,
  ...ARCHIVE_ATTACKS,
  CLICKS_IN_OUTAGE,
  LARGE_DELIVERIES,
  ...STREAMS,
  ...CROWDS,
];
const WIDTH = Math.max(...ATTACKS.map(({ name }) => name.length));
const USAGE = `Usage: pnpm test:budgets [--help] [ATTACK]...

Attacks processes that run with the heap of the image, all of the attacks or those named:
${ATTACKS.map(({ name, title }) => `  ${name.padEnd(WIDTH)}  ${title}`).join('\n')}

An attack fails when a process ends, is not ready within 5 s after it, or answers wrongly, or when a
write is lost. Times (at most 5 times those before) and memory (1.2 times) are printed and decide nothing.`;

const print = (text: string) => process.stdout.write(`${text}\n`);

/** @returns the exit code: 0 when every attack was held */
async function main(chosen: readonly Attack[], signal: AbortSignal): Promise<number> {
  print('Starting the platform …');
  await using field = await startField();
  const bystander = await startBystander(field);
  print(HEADING);
  const failed: string[] = [];
  signal.throwIfAborted();
  const interrupted = once(signal, 'abort').then(() => signal.throwIfAborted());
  interrupted.catch(() => undefined);
  for (const attack of chosen) {
    const held = await Promise.race([isHeld(field, bystander, attack), interrupted]);
    if (held !== true) failed.push(attack.name);
  }
  if (failed.length === 0) {
    print(`\nAll ${chosen.length} attacks were held.`);
    return 0;
  }
  print(`\n${failed.length} of ${chosen.length} attacks failed: ${failed.join(', ')}`);
  print(`The logs of the processes are in ${await saveLogs(field)}`);
  return 1;
}

async function isHeld(field: Field, bystander: Bystander, attack: Attack): Promise<boolean> {
  try {
    const result = await runAttack(field, bystander, attack);
    print(describe(result));
    return result.faults.length === 0;
  } catch (error) {
    const ended = await reviveProcesses(field);
    print(`${attack.name} FAILED outside of the attack: ${reasonOf(error)}`);
    for (const name of ended) print(`    FAULT: ${name} ended`);
    return false;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function saveLogs({ logLines }: Field): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'atrium-budgets-log-')), 'platform.log');
  await writeFile(file, `${(await logLines()).join('\n')}\n`);
  return file;
}

/** @throws Error that names what there is */
function choose(names: readonly string[]): readonly Attack[] {
  if (names.length === 0) return ATTACKS;
  return names.map((name) => {
    const found = ATTACKS.find((attack) => attack.name === name);
    if (found === undefined) throw new Error(`There is no attack "${name}".\n\n${USAGE}`);
    return found;
  });
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
let exitCode = 0;
try {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  if (values.help === true) print(USAGE);
  else exitCode = await main(choose(positionals), stopping.signal);
} catch (error) {
  exitCode = stopping.signal.aborted ? 130 : 1;
  if (!stopping.signal.aborted) {
    process.stderr.write(`\n${reasonOf(error)}\n`);
  }
}
// What an attack has left open must not keep us.
process.exit(exitCode);
