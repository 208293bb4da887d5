import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findFreePortBase } from './ports.ts';
import { startPlatform } from './platform.ts';

const TIMEOUT_MS = 240_000;
let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'atrium-platform-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

function options(portBase: number, logs: string[] = []) {
  return {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      QUEUE_PREFIX: '{platform-test}',
    },
    portBase,
    dataDir,
    logs: (name: string, line: string) => logs.push(`${name}: ${line}`),
  };
}

async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    (answer) => answer.status,
    () => null,
  );
}

test(
  'restarts a process that was killed on purpose, and reports an unexpected exit',
  async () => {
    await using platform = await startPlatform(options(await findFreePortBase()));
    const notes = platform.process('notes');
    const readyz = `${platform.urls.notes}/readyz`;
    expect(await statusOf(readyz)).toBe(200);

    await notes.kill('SIGKILL');
    expect(notes.running).toBe(false);
    expect(await statusOf(readyz)).toBeNull();
    await notes.restart();
    expect(await statusOf(readyz)).toBe(200);

    process.kill(platform.process('links').pid, 'SIGKILL');
    expect(await platform.unexpectedExit).toEqual({ name: 'links', reason: 'signal SIGKILL' });
  },
  TIMEOUT_MS,
);

test(
  'names a process that cannot start, and stops the rest',
  async () => {
    const portBase = await findFreePortBase();
    const logs: string[] = [];
    const { env, ...rest } = options(portBase, logs);
    const starting = startPlatform({ ...rest, env: { ...env, LOG_LEVEL: 'shouting' } });
    await expect(starting).rejects.toThrow('ended before it was ready (exit code 1)');
    expect(logs.join('\n')).toContain('LOG_LEVEL');
    expect(await statusOf(`http://127.0.0.1:${portBase + 1}/livez`)).toBeNull();
  },
  TIMEOUT_MS,
);

test('names a taken port before anything starts', async () => {
  const portBase = await findFreePortBase();
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(portBase + 3, '127.0.0.1', resolve));
  await expect(startPlatform(options(portBase))).rejects.toThrow(`Port ${portBase + 3} is taken`);
  await new Promise((resolve) => other.close(resolve));
});
