import { createInterface } from 'node:readline';
import { type Daemon, startDaemon } from './daemon.ts';
import type { ProcessName, ProcessSpec } from './process-table.ts';
import { sendSignal } from './process-identity.ts';

const STOP_BEFORE_RESTART_TIMEOUT_MS = 25_000;

/** Receives each line that a process writes. */
export type LogSink = (processName: string, line: string) => void;

/** A process or server that ended without being asked to. */
export interface UnexpectedExit {
  name: string;
  /** Such as "exit code 1" or "signal SIGKILL". */
  reason: string;
}

/** One running process of the platform. */
export interface ManagedProcess {
  readonly name: ProcessName;
  /** Changes with a restart. */
  readonly pid: number;
  readonly running: boolean;
  /**
   * Sends a signal on purpose, so the exit that may follow is expected. Resolves when the process has
   * exited; at once for SIGSTOP and SIGCONT.
   */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Stops the process if it runs, starts it with the same environment, waits until it is ready. */
  restart(): Promise<void>;
  /** Sends SIGTERM, and SIGKILL after `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

interface ProcessOptions {
  spec: ProcessSpec;
  env: Record<string, string>;
  logs: LogSink;
  onUnexpectedExit: (exit: UnexpectedExit) => void;
  /** Called with the new process after a restart; `restart()` waits for it. */
  onRestart: () => Promise<void>;
}

/**
 * Starts a process with the current Node binary.
 * @throws Error when it cannot be started
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const { spec } = options;
  let daemon = await spawn();
  let isRunning = true;
  let exitExpected = false;
  watch(daemon);

  async function spawn(): Promise<Daemon> {
    const started = await startNode(spec.entry, { cwd: spec.folder, env: options.env });
    forwardLines(started, (line) => options.logs(spec.name, line));
    return started;
  }

  function watch(watched: Daemon): void {
    void watched.exited.then((reason) => {
      if (watched !== daemon) return;
      isRunning = false;
      if (!exitExpected) options.onUnexpectedExit({ name: spec.name, reason });
    });
  }

  async function stop(timeoutMs: number): Promise<void> {
    exitExpected = true;
    await daemon.stop(timeoutMs);
  }

  return {
    name: spec.name,
    get pid() {
      return daemon.pid;
    },
    get running() {
      return isRunning;
    },
    async kill(signal) {
      if (signal !== 'SIGCONT' && signal !== 'SIGSTOP') exitExpected = true;
      if (!sendSignal(daemon.pid, signal)) return;
      if (exitExpected) await daemon.exited;
    },
    async restart() {
      await stop(STOP_BEFORE_RESTART_TIMEOUT_MS);
      daemon = await spawn();
      isRunning = true;
      exitExpected = false;
      watch(daemon);
      await options.onRestart();
    },
    stop,
  };
}

/**
 * Runs a task of a service, such as its migrations, to its end.
 * @throws Error unless it exits with code 0
 */
export async function runTask(
  spec: ProcessSpec,
  entry: string,
  options: { env: Record<string, string>; logs: LogSink },
): Promise<void> {
  const daemon = await startNode(entry, { cwd: spec.folder, env: options.env });
  forwardLines(daemon, (line) => options.logs(spec.name, line));
  const reason = await daemon.exited;
  if (reason !== 'exit code 0') throw new Error(`${entry} failed (${reason}).`);
}

function startNode(
  entry: string,
  options: { cwd: string; env: Record<string, string> },
): Promise<Daemon> {
  return startDaemon({
    ...options,
    command: process.execPath,
    args: [entry],
    stopSignal: 'SIGTERM',
    output: 'pipe',
  });
}

function forwardLines(daemon: Daemon, write: (line: string) => void): void {
  for (const input of [daemon.child.stdout, daemon.child.stderr]) {
    if (input !== null) createInterface({ input, crlfDelay: Infinity }).on('line', write);
  }
}
