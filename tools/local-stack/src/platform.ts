import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  type PlatformUrls,
  platformUrls,
  processEnvironment,
  type RuntimeConfiguration,
} from './environment.ts';
import { unknownMigrations } from './known-migrations.ts';
import {
  type LogSink,
  type ManagedProcess,
  runTask,
  startProcess,
  type UnexpectedExit,
} from './processes/managed-process.ts';
import { openServers } from './open-servers.ts';
import { PROCESSES, type ProcessName, type ProcessSpec } from './processes/process-table.ts';
import { refuseTakenPorts, untilReady } from './readiness.ts';
import { forgetRun, recordRun, stopLeftoverRun } from './processes/run-record.ts';
import { developmentSecrets } from './secrets.ts';

const STOP_TIMEOUT_MS = 6_000;

export interface PlatformOptions {
  /** What services read; DATABASE_URL and REDIS_URL replace servers of our own. */
  env: NodeJS.ProcessEnv;
  portBase: number;
  dataDir: string;
  logs: LogSink;
  /** Receives one line for each step of the start. */
  onProgress?: (line: string) => void;
  /** Variables for single processes, over everything else. */
  overrides?: Partial<Record<ProcessName, Record<string, string>>>;
  /** First part of the databases' names. Default `atrium`. */
  databasePrefix?: string;
  /** Aborts the start and stops what had started. */
  signal?: AbortSignal;
}

export interface Platform extends AsyncDisposable {
  urls: PlatformUrls;
  /** Addresses of the two servers, started here or given. */
  databaseServerUrl: string;
  redisUrl: string;
  /** In the order of the table of processes: auth, notes, notes-worker, webhook-dispatcher, links, web, worker. */
  processes: ManagedProcess[];
  /** The process of this name. */
  process(name: ProcessName): ManagedProcess;
  /** Resolves when a process or server ends without being asked to. */
  unexpectedExit: Promise<UnexpectedExit>;
  /** Stops everything that was started, servers last. */
  stop(): Promise<void>;
}

/**
 * Starts the whole platform on this machine: servers (unless given), migrations, four services, two
 * workers and the web client as processes of their own. Resolves when all of them are ready.
 * @throws Error when a part of it does not become ready, after stopping what had started
 */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { portBase, signal, onProgress = () => undefined } = options;
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  await stopLeftoverRun(dataDir);

  await using stack = new AsyncDisposableStack();
  // Before the first server starts: another start on this folder would stop it as a leftover.
  await recordRun(dataDir, []);
  stack.defer(() => forgetRun(dataDir));
  await refuseTakenPorts(portBase);
  const unexpectedExit = Promise.withResolvers<UnexpectedExit>();
  onProgress('Starting Postgres and Redis');
  const servers = stack.use(
    await openServers({
      env: options.env,
      dataDir,
      onProgress,
      onUnexpectedExit: unexpectedExit.resolve,
    }),
  );
  const runtime: RuntimeConfiguration = {
    env: options.env,
    portBase,
    dataDir,
    databaseServerUrl: servers.databaseServerUrl,
    databasePrefix: options.databasePrefix ?? 'atrium',
    redisUrl: servers.redisUrl,
    secrets: await developmentSecrets(dataDir),
  };
  signal?.throwIfAborted();
  onProgress('Migrating the databases');
  await migrate(runtime, options);
  signal?.throwIfAborted();
  onProgress(`Starting ${PROCESSES.map(({ name }) => name).join(', ')}`);
  const processes = await startProcesses(runtime, options, stack, unexpectedExit);

  const running = stack.move();
  const stop = () => running.disposeAsync();
  return {
    urls: platformUrls(portBase),
    databaseServerUrl: runtime.databaseServerUrl,
    redisUrl: runtime.redisUrl,
    processes,
    process(name) {
      const found = processes.find((child) => child.name === name);
      if (found === undefined) throw new Error(`No process ${name}.`);
      return found;
    },
    unexpectedExit: unexpectedExit.promise,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** Starts auth first and stops it last: the others ask it for its keys and for revoked sessions. */
async function startProcesses(
  runtime: RuntimeConfiguration,
  options: PlatformOptions,
  stack: AsyncDisposableStack,
  unexpectedExit: PromiseWithResolvers<UnexpectedExit>,
): Promise<ManagedProcess[]> {
  const processes: ManagedProcess[] = [];
  let recording = Promise.resolve();
  // One after the other: two processes may restart at once.
  const record = () => {
    const running = PROCESSES.flatMap(({ name, entry }) =>
      processes
        .filter((child) => child.name === name)
        .map((child) => ({ pid: child.pid, marker: entry })),
    );
    recording = recording.then(() => recordRun(runtime.dataDir, running));
    return recording;
  };
  const stopAll = (children: ManagedProcess[]) =>
    Promise.all(children.map((child) => child.stop(STOP_TIMEOUT_MS)));
  stack.defer(async () => {
    await stopAll(processes.filter(({ name }) => name !== 'auth'));
    await stopAll(processes);
  });
  const start = async (specs: readonly ProcessSpec[]) => {
    for (const spec of specs) {
      const child = await startProcess({
        spec,
        env: { ...processEnvironment(spec, runtime), ...options.overrides?.[spec.name] },
        logs: options.logs,
        onUnexpectedExit: unexpectedExit.resolve,
        onRestart: async () => {
          await record();
          await untilReady(spec, runtime.portBase);
        },
      });
      processes.push(child);
      await record();
    }
    await allReady(specs, runtime.portBase, unexpectedExit.promise, options.signal);
  };
  await start(PROCESSES.filter(({ name }) => name === 'auth'));
  await start(PROCESSES.filter(({ name }) => name !== 'auth'));
  return processes;
}

async function migrate(runtime: RuntimeConfiguration, options: PlatformOptions): Promise<void> {
  const services = PROCESSES.filter(
    ({ entry, database }) => entry.endsWith('main.ts') && database !== null,
  );
  const tasks = services.map(async (spec) => {
    const env = { ...processEnvironment(spec, runtime), ...options.overrides?.[spec.name] };
    const unknown = await unknownMigrations(
      spec.folder,
      env['DIRECT_DATABASE_URL'] ?? env['DATABASE_URL'] ?? '',
    );
    if (unknown.length > 0) {
      throw new Error(
        `The ${spec.name} database was made by another version of Atrium (${unknown.join(', ')}): ` +
          `delete ${runtime.dataDir}, or set DATA_DIR to a new folder, and start again.`,
      );
    }
    await runTask(spec, join(spec.folder, 'src', 'migrate.ts'), { env, logs: options.logs });
  });
  const failed = (await Promise.allSettled(tasks)).find((task) => task.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

async function allReady(
  specs: readonly ProcessSpec[],
  portBase: number,
  unexpectedExit: Promise<UnexpectedExit>,
  startSignal: AbortSignal | undefined,
): Promise<void> {
  const stopWaiting = new AbortController();
  const signals = [stopWaiting.signal, ...(startSignal === undefined ? [] : [startSignal])];
  const signal = AbortSignal.any(signals);
  try {
    await Promise.race([
      Promise.all(specs.map((spec) => untilReady(spec, portBase, signal))),
      unexpectedExit.then(({ name, reason }) => {
        throw new Error(`${name} ended before it was ready (${reason}).`);
      }),
    ]);
  } finally {
    stopWaiting.abort();
  }
}
