import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type LogSink,
  type ManagedProcess,
  type ProcessDeath,
  runToEnd,
  startProcess,
} from './children.ts';
import {
  type PlatformUrls,
  platformUrls,
  processEnvironment,
  readVariable,
  type Surroundings,
} from './environment.ts';
import { PROCESSES, type ProcessName, type ProcessSpec } from './process-table.ts';
import { refuseTakenPorts, untilReady } from './readiness.ts';
import { forgetRun, recordRun, stopLeftoverRun } from './run-record.ts';
import { developmentSecrets } from './secrets.ts';
import { type LocalServer, startPostgres, startRedis } from './servers.ts';

const STOP_TIMEOUT_MS = 6_000;

export interface PlatformOptions {
  /** The variables of DESIGN section 4; DATABASE_URL and REDIS_URL replace servers of our own. */
  env: NodeJS.ProcessEnv;
  portBase: number;
  dataDir: string;
  logs: LogSink;
  /** Variables for single processes, over everything else. */
  overrides?: Partial<Record<ProcessName, Record<string, string>>>;
  /** First part of the databases' names. Default `atrium`. */
  databasePrefix?: string;
  /** Gives up starting, and stops what had started. */
  signal?: AbortSignal;
}

export interface Platform {
  urls: PlatformUrls;
  /** Addresses of the two servers, started here or given. */
  databaseServerUrl: string;
  redisUrl: string;
  /** In the order of the table of processes: auth, notes, webhook-dispatcher, links, worker. */
  processes: ManagedProcess[];
  /** The process of this name. */
  process(name: ProcessName): ManagedProcess;
  /** Resolves when a process or server ends though nobody asked it to. */
  died: Promise<{ name: string; reason: string }>;
  /** Stops everything that was started, servers last. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * The whole platform on this machine: servers (unless given), migrations, four services and one
 * worker as processes of their own. Resolves when all of them are ready.
 * @throws Error, after stopping what had started, when a part of it does not become ready.
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  await stopLeftoverRun(dataDir);
  await refuseTakenPorts(options.portBase);

  await using started = new AsyncDisposableStack();
  const death = Promise.withResolvers<{ name: string; reason: string }>();
  const around = await surroundings(options, dataDir, started, death.resolve);
  options.signal?.throwIfAborted();
  await migrate(around, options);
  options.signal?.throwIfAborted();

  const processes: ManagedProcess[] = [];
  let recording = Promise.resolve();
  // One after the other: two processes may be restarted at once.
  const record = () => {
    recording = recording.then(() =>
      recordRun(
        dataDir,
        processes.map(({ name, pid }) => ({ pid, marker: specOf(name).entry })),
      ),
    );
    return recording;
  };
  started.defer(() => forgetRun(dataDir));
  started.defer(async () => {
    await Promise.all(processes.map((child) => child.stop(STOP_TIMEOUT_MS)));
  });
  for (const spec of PROCESSES) {
    const child = await startProcess({
      spec,
      env: { ...processEnvironment(spec, around), ...options.overrides?.[spec.name] },
      logs: options.logs,
      onDeath: (dead: ProcessDeath) => death.resolve(dead),
      onStart: async () => {
        await record();
        await untilReady(spec, options.portBase);
      },
    });
    processes.push(child);
    await record();
  }
  await allReady(options.portBase, death.promise, options.signal);

  const stack = started.move();
  const stop = () => stack.disposeAsync();
  return {
    urls: platformUrls(options.portBase),
    databaseServerUrl: around.databaseServerUrl,
    redisUrl: around.redisUrl,
    processes,
    process(name) {
      const found = processes.find((child) => child.name === name);
      if (found === undefined) throw new Error(`No process ${name}.`);
      return found;
    },
    died: death.promise,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

async function surroundings(
  options: PlatformOptions,
  dataDir: string,
  started: AsyncDisposableStack,
  onDeath: (dead: { name: string; reason: string }) => void,
): Promise<Surroundings> {
  let stopping = false;
  const adopt = async (name: string, starting: Promise<LocalServer>): Promise<string> => {
    const server = await starting;
    started.defer(() => {
      stopping = true;
      return server.stop();
    });
    void server.exited.then((reason) => stopping || onDeath({ name, reason }));
    return server.url;
  };
  const [givenDatabase, givenRedis] = await Promise.all([
    readVariable(options.env, 'DATABASE_URL'),
    readVariable(options.env, 'REDIS_URL'),
  ]);
  const say = (line: string) => options.logs('start', line);
  // Both are awaited whatever the other does, so that none is left running unnoticed.
  const [database, redis] = await Promise.allSettled([
    givenDatabase ?? adopt('Postgres', startPostgres({ dataDir: join(dataDir, 'postgres') })),
    givenRedis ?? adopt('Redis', startRedis({ dataDir: join(dataDir, 'redis'), say })),
  ]);
  if (database.status === 'rejected') throw database.reason;
  if (redis.status === 'rejected') throw redis.reason;
  return {
    env: options.env,
    portBase: options.portBase,
    dataDir,
    databaseServerUrl: database.value,
    databasePrefix: options.databasePrefix ?? 'atrium',
    redisUrl: redis.value,
    secrets: await developmentSecrets(dataDir),
  };
}

async function migrate(around: Surroundings, options: PlatformOptions): Promise<void> {
  const services = PROCESSES.filter(({ portOffset }) => portOffset !== null);
  const runs = services.map((spec) =>
    runToEnd(`migrate ${spec.name}`, join(spec.folder, 'src', 'migrate.ts'), {
      cwd: spec.folder,
      env: { ...processEnvironment(spec, around), ...options.overrides?.[spec.name] },
      logs: options.logs,
    }),
  );
  const failed = (await Promise.allSettled(runs)).find((run) => run.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function allReady(
  portBase: number,
  died: Promise<{ name: string; reason: string }>,
  asked?: AbortSignal,
): Promise<void> {
  const stopWaiting = new AbortController();
  const signal = AbortSignal.any([stopWaiting.signal, ...(asked === undefined ? [] : [asked])]);
  try {
    await Promise.race([
      Promise.all(PROCESSES.map((spec) => untilReady(spec, portBase, signal))),
      died.then(({ name, reason }) => {
        throw new Error(`${name} ended before it was ready (${reason}).`);
      }),
    ]);
  } finally {
    stopWaiting.abort();
  }
}

function specOf(name: ProcessName): ProcessSpec {
  const found = PROCESSES.find((spec) => spec.name === name);
  if (found === undefined) throw new Error(`No process ${name}.`);
  return found;
}
