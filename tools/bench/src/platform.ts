import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { PROCESSES, type ProcessName, REPOSITORY_ROOT } from '@atrium/local-stack/process-table';
import { startPostgres, startRedis } from '@atrium/local-stack/servers';
import { startEntry, untilEnd } from './child.ts';

/** Durable servers of a benchmark's own, on 127.0.0.1, in a folder that goes again with them. */
export interface Servers extends AsyncDisposable {
  postgres: { url: string; pid: number };
  redis: { url: string; pid: number };
  /** For whatever else the processes write. */
  dataDir: string;
}

export async function openServers(): Promise<Servers> {
  await using started = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'atrium-bench-'));
  started.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await startPostgres({ dataDir: join(dataDir, 'postgres') });
  started.defer(() => postgres.stop());
  const redis = await startRedis({ dataDir: join(dataDir, 'redis') });
  started.defer(() => redis.stop());
  const stack = started.move();
  return { postgres, redis, dataDir, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** An entry of one of the platform's processes: of this checkout or the one in BENCH_CHECKOUT. */
export function entryOf(name: ProcessName, file: string): string {
  const folder = PROCESSES.find((spec) => spec.name === name)?.folder ?? '';
  const checkout = process.env['BENCH_CHECKOUT'] ?? REPOSITORY_ROOT;
  return join(checkout, relative(REPOSITORY_ROOT, folder), 'src', file);
}

/** What every child needs of our own environment variables, such as `NODE_OPTIONS=--cpu-prof`. */
export function childEnvironment(): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', NODE_OPTIONS: process.env['NODE_OPTIONS'] ?? '' };
}

export async function migrate(name: ProcessName, url: string): Promise<void> {
  const run = startEntry(entryOf(name, 'migrate.ts'), {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: url,
  });
  const code = await untilEnd(run);
  if (code !== 0) throw new Error(`The migrations of ${name} ended with ${code}`);
}
