import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { HEADINGS, tableLine, tableRow } from '../chaos/table.ts';
import { missingPackages } from './programs.ts';
import { pgbouncer } from './pgbouncer.ts';
import { asynchronousStandby, readReplica, synchronousStandby } from './standby.ts';
import { redisCluster } from './redis-cluster.ts';
import { redisSentinel, valkeySentinel } from './redis-sentinel.ts';
import { tls } from './tls.ts';
import { runScenario, runTests, type ScenarioResult } from './run-scenario.ts';
import type { Scenario } from './scenario.ts';

const USAGE = 'Usage: pnpm test:deployments [NAME]... [--events N] [--test FILE]...';
const DEFAULT_EVENTS = 2_000;
const SCENARIOS: readonly Scenario[] = [
  redisCluster,
  redisSentinel,
  valkeySentinel,
  tls,
  pgbouncer,
  synchronousStandby,
  asynchronousStandby,
  readReplica,
];

const print = (line: string) => process.stdout.write(`${line}\n`);

/** @returns the exit code: 0 when every scenario ran, and none lost what it must not */
async function main(signal: AbortSignal): Promise<number> {
  const { chosen, events, files } = readArguments();
  if (files.length === 0) {
    print(`${events} events for each deployment; this takes a minute or two for each.\n`);
    print(tableLine(HEADINGS));
  }
  const problems: string[] = [];
  for (const scenario of chosen) {
    const missing = await missingPackages(scenario.needs);
    if (missing.length > 0) {
      print(`${scenario.title}: not run, apt-get install ${missing.join(' ')}`);
      problems.push(`${scenario.name} needs ${missing.join(', ')}`);
      continue;
    }
    if (files.length > 0) {
      print(`\n${scenario.name}`);
      if (!(await runTests(scenario, files, signal)))
        problems.push(`${scenario.name}: tests failed`);
      continue;
    }
    const result = await runScenario(scenario, events, signal);
    print(tableLine(tableRow(result)));
    problems.push(...(await problemsOf(result)));
  }
  if (problems.length === 0 && files.length === 0) {
    print('\nNothing was lost that must not be, and every rejection was clear.');
  }
  for (const problem of problems) print(`\n${problem}`);
  return problems.length === 0 ? 0 : 1;
}

async function problemsOf(result: ScenarioResult): Promise<string[]> {
  const { fault, lost, doubles, forged, unclear, mayLose, lostMarkers, logLines } = result;
  if (lost > 0 && mayLose !== undefined) print(`  may lose events: ${mayLose}`);
  const isComplete = (lost === 0 && doubles === 0) || mayLose !== undefined;
  if (isComplete && forged === 0 && unclear.length === 0) return [];
  const file = join(await mkdtemp(join(tmpdir(), 'atrium-deployment-log-')), 'platform.log');
  await writeFile(file, `${logLines.join('\n')}\n`);
  const examples = [...lostMarkers, ...unclear].map((line) => `  ${line}`);
  return [
    `${fault}: ${lost} lost, ${doubles} doubles, ${forged} forged, ${unclear.length} unclear rejections; logs in ${file}\n${examples.join('\n')}`,
  ];
}

function readArguments(): { chosen: Scenario[]; events: number; files: string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      events: { type: 'string', default: String(DEFAULT_EVENTS) },
      test: { type: 'string', multiple: true, default: [] },
    },
  });
  const events = Number(values.events);
  if (!Number.isInteger(events) || events < 10) {
    throw new Error(`--events must be a whole number from 10, not "${values.events}".\n${USAGE}`);
  }
  const names = positionals.length > 0 ? positionals : SCENARIOS.map(({ name }) => name);
  const chosen = names.map((name) => {
    const scenario = SCENARIOS.find((known) => known.name === name);
    if (scenario !== undefined) return scenario;
    const known = SCENARIOS.map((each) => each.name).join(', ');
    throw new Error(`There is no deployment "${name}": ${known}.\n${USAGE}`);
  });
  return { chosen, events, files: values.test };
}

const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => stopping.abort());
}
try {
  process.exitCode = await main(stopping.signal);
} catch (error) {
  process.exitCode = 1;
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
}
