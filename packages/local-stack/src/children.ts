import { createInterface } from 'node:readline';
import { type Daemon, startDaemon } from './daemon.ts';
import type { ProcessName, ProcessSpec } from './process-table.ts';
import { sendSignal } from './process-identity.ts';

/** Takes one line that a process has written. */
export type LogSink = (processName: string, line: string) => void;

/** One running process of the platform. */
export interface ManagedProcess {
  readonly name: ProcessName;
  /** Changes with a restart. */
  readonly pid: number;
  readonly running: boolean;
  /**
   * Sends a signal on purpose: the end that may follow is not a death of the platform.
   * Resolves when the process has ended; at once for SIGSTOP and SIGCONT, which do not end it.
   */
  kill(signal: NodeJS.Signals): Promise<void>;
  /** Stops it if it runs, starts it with the same environment and waits until it is ready. */
  restart(): Promise<void>;
  /** SIGTERM, and SIGKILL when it takes longer than `timeoutMs`. */
  stop(timeoutMs: number): Promise<void>;
}

export interface ProcessDeath {
  name: ProcessName;
  /** In words, such as "exit code 1". */
  reason: string;
}

interface ProcessOptions {
  spec: ProcessSpec;
  env: Record<string, string>;
  logs: LogSink;
  /** Called when it ends though nobody asked it to. */
  onDeath: (death: ProcessDeath) => void;
  /** Called with the new process after each start. */
  onStart: () => Promise<void>;
}

/**
 * Starts a process with the Node that runs us.
 * @throws Error when it cannot be started, or when it ends before it is ready.
 */
export async function startProcess(options: ProcessOptions): Promise<ManagedProcess> {
  const { spec } = options;
  let daemon = await spawn();
  let ended: string | null = null;
  let expected = false;
  watch(daemon);

  async function spawn(): Promise<Daemon> {
    const started = await startDaemon({
      command: process.execPath,
      args: [spec.entry],
      cwd: spec.folder,
      env: options.env,
      stopSignal: 'SIGTERM',
      output: 'pipe',
    });
    forwardLines(started, (line) => options.logs(spec.name, line));
    return started;
  }

  function watch(watched: Daemon): void {
    void watched.exited.then((reason) => {
      if (watched !== daemon) return;
      ended = reason;
      if (!expected) options.onDeath({ name: spec.name, reason });
    });
  }

  async function stop(timeoutMs: number): Promise<void> {
    expected = true;
    await daemon.stop(timeoutMs);
  }

  return {
    name: spec.name,
    get pid() {
      return daemon.pid;
    },
    get running() {
      return ended === null;
    },
    async kill(signal) {
      if (signal !== 'SIGCONT' && signal !== 'SIGSTOP') expected = true;
      if (!sendSignal(daemon.pid, signal)) return;
      if (expected) await daemon.exited;
    },
    async restart() {
      await stop(25_000);
      daemon = await spawn();
      ended = null;
      expected = false;
      watch(daemon);
      await options.onStart();
    },
    stop,
  };
}

/**
 * Runs a program of the platform to its end.
 * @throws Error unless it ends with exit code 0.
 */
export async function runToEnd(
  name: string,
  entry: string,
  options: { cwd: string; env: Record<string, string>; logs: LogSink },
): Promise<void> {
  const daemon = await startDaemon({
    command: process.execPath,
    args: [entry],
    cwd: options.cwd,
    env: options.env,
    stopSignal: 'SIGTERM',
    output: 'pipe',
  });
  forwardLines(daemon, (line) => options.logs(name, line));
  const reason = await daemon.exited;
  if (reason !== 'exit code 0') throw new Error(`${name} failed (${reason}).`);
}

function forwardLines(daemon: Daemon, write: (line: string) => void): void {
  for (const input of [daemon.child.stdout, daemon.child.stderr]) {
    if (input !== null) createInterface({ input, crlfDelay: Infinity }).on('line', write);
  }
}
