import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePortBase, isPortFree, PLATFORM_PORT_OFFSETS } from './ports.ts';
import { startPlatform } from './platform.ts';
import { REPOSITORY_ROOT } from './processes/process-table.ts';

/** Long, because a busy machine starts all processes at once. */
const TIMEOUT_MS = 240_000;

let dataDir: string;
let portBase: number;
let started: ChildProcess | undefined;
let output: string;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-start-'));
  portBase = await findFreePortBase();
  started = undefined;
});
afterEach(async () => {
  if (started?.exitCode === null && started.signalCode === null) {
    const exited = once(started, 'exit');
    started.kill('SIGTERM');
    await exited;
  }
  await rm(dataDir, { recursive: true, force: true });
});

/** Runs the start command and waits until it prints `text`. */
async function startUntil(
  text: string,
  env: Record<string, string> = {},
  args: string[] = [],
): Promise<ChildProcess> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...own } = process.env;
  const child = spawn('npm', ['start', '--silent', '--', ...args], {
    cwd: REPOSITORY_ROOT,
    env: { ...own, DATA_DIR: dataDir, PORT_BASE: String(portBase), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // As in a terminal: Ctrl-C goes to everything in this group.
    detached: true,
  });
  started = child;
  output = '';
  await new Promise<void>((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(text)) resolve();
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.once('exit', () => reject(new Error(`it ended:\n${output}`)));
  });
  return child;
}

async function pressCtrlC(child: ChildProcess): Promise<number | null> {
  const exited = once(child, 'exit') as Promise<[number | null]>;
  process.kill(-(child.pid ?? Number.NaN), 'SIGINT');
  return (await exited)[0];
}

async function processesOfThisRun(): Promise<string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-ewwo', 'pid=,command=']);
  return stdout.split('\n').filter((line) => line.includes(dataDir));
}

async function takenPorts(): Promise<number[]> {
  const ports = PLATFORM_PORT_OFFSETS.map((offset) => portBase + offset);
  const free = await Promise.all(ports.map((port) => isPortFree(port)));
  return ports.filter((_, index) => !free[index]);
}

test(
  'the first start tells the tour, then the addresses; Ctrl-C and a crash leave nothing behind',
  async () => {
    const first = await startUntil('Ctrl-C stops it');
    expect(output).toContain('Tour complete: 3 kinds of events delivered');
    for (const event of ['note.shared', 'go.click', 'auth.suspicious_login']) {
      expect(output).toContain(`${event} at /hook: signature verified, answered 200`);
    }
    expect(output.match(/at \/flaky: signature verified, answered 500/g)).toHaveLength(2);
    // The issuer in its tokens.
    expect(output).toContain(`  auth      http://localhost:${portBase + 1} `);
    expect(output.indexOf('Atrium is running')).toBeGreaterThan(output.indexOf('Tour complete'));
    // Neither routine log lines, nor stack traces, nor warnings of services that wait for each other.
    expect(output).not.toMatch(/\| (info|debug) |^ +at |not ready/m);
    expect(await readFile(join(dataDir, 'logs', 'notes.log'), 'utf8')).toContain('/share"');

    expect(await pressCtrlC(first)).toBe(0);
    expect(await processesOfThisRun()).toEqual([]);
    expect(await takenPorts()).toEqual([]);
    expect(await readdir(dataDir)).not.toContain('running.json');

    const second = await startUntil('Ctrl-C stops it', {}, ['--logs']);
    expect(output).not.toContain('The tour');
    expect(stripVTControlCharacters(output)).toMatch(/^notes +\| info /m);

    // A process that ends takes the platform down, which names it, the reason and its log.
    const exited = once(second, 'exit') as Promise<[number | null]>;
    const record = JSON.parse(await readFile(join(dataDir, 'running.json'), 'utf8')) as {
      children: { pid: number; marker: string }[];
    };
    const worker = record.children.find(({ marker }) => marker.endsWith('worker.ts'));
    process.kill(worker?.pid ?? Number.NaN, 'SIGKILL');
    expect((await exited)[0]).toBe(1);
    expect(output).toMatch(/worker ended \(.*SIGKILL.*\).* Its log is .*worker\.log/);
    expect(await processesOfThisRun()).toEqual([]);
    expect(await takenPorts()).toEqual([]);
  },
  TIMEOUT_MS,
);

test(
  'a second start on the same folder leaves one that is still starting alone',
  async () => {
    const first = await startUntil('Migrating the databases', {}, ['--no-tour']);
    const second = startPlatform({
      env: { PATH: process.env['PATH'] },
      portBase: await findFreePortBase(),
      dataDir,
      logs: () => undefined,
    });
    await expect(second).rejects.toThrow('Atrium already runs');
    await expect.poll(() => output, { timeout: TIMEOUT_MS }).toContain('Ready after');
    expect(await pressCtrlC(first)).toBe(0);
  },
  TIMEOUT_MS,
);

test('a PORT_BASE that is not a number is refused', async () => {
  await expect(startUntil('Atrium is running', { PORT_BASE: 'x' })).rejects.toThrow(
    'PORT_BASE must be a number',
  );
  expect(started?.exitCode).toBe(1);
});
