import { type ChildProcess, spawn } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { sendSignal } from './process-identity.ts';

/** The system user that a process runs as. */
export interface Identity {
  uid: number;
  gid: number;
  /** Keeps the right to enter directories of other users (Linux, through setpriv). */
  reachEverything: boolean;
}

export interface DaemonOptions {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Asks the process to stop; on Linux the kernel also sends it when we are killed. */
  stopSignal: NodeJS.Signals;
  /** Receives stdout and stderr: a file descriptor, or a pipe that the caller reads. */
  output: number | 'pipe';
  identity?: Identity | undefined;
}

export interface Daemon {
  child: ChildProcess;
  pid: number;
  /** Resolves with the reason ("exit code 1", "signal SIGKILL") when it has exited. */
  exited: Promise<string>;
  /** Sends `stopSignal`, and SIGKILL to its whole group after `timeoutMs`; waits for its exit. */
  stop(timeoutMs?: number): Promise<void>;
}

/** The first executable of this name on a PATH, or null. */
export async function findExecutable(
  name: string,
  path = process.env['PATH'] ?? '',
): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    const found =
      folder !== '' &&
      (await access(file, constants.X_OK).then(
        () => true,
        () => false,
      ));
    if (found) return file;
  }
  return null;
}

/**
 * Starts a long-running process in its own process group, so that Ctrl-C reaches only us and we decide the
 * order in which things stop. On Linux, `setpriv` makes the kernel stop it when we are killed; elsewhere
 * the next start does (see process-identity).
 * @throws Error when the program cannot be started
 */
export async function startDaemon(options: DaemonOptions): Promise<Daemon> {
  const { identity } = options;
  const setpriv = process.platform === 'linux' ? await findExecutable('setpriv') : null;
  const privileges = identity === undefined ? [] : setprivArguments(identity);
  const [command, args] =
    setpriv === null
      ? [options.command, options.args]
      : [
          setpriv,
          [
            ...privileges,
            `--pdeathsig=${options.stopSignal.slice(3)}`,
            '--',
            options.command,
          ].concat(options.args),
        ];
  const child = spawn(command, args, {
    env: options.env,
    cwd: options.cwd,
    detached: true,
    stdio: ['ignore', options.output, options.output],
    ...(setpriv === null && identity !== undefined && { uid: identity.uid, gid: identity.gid }),
  });
  const exited = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `exit code ${code}` : `signal ${signal}`),
    );
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`Cannot start ${options.command}: ${await exited}`);
  return {
    child,
    pid,
    exited,
    async stop(timeoutMs = 8_000) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      sendSignal(pid, options.stopSignal);
      const timer = setTimeout(() => sendSignal(-pid, 'SIGKILL'), timeoutMs);
      await exited;
      clearTimeout(timer);
    },
  };
}

function setprivArguments(identity: Identity): string[] {
  const user = [`--reuid=${identity.uid}`, `--regid=${identity.gid}`, '--clear-groups'];
  // An ambient capability outlives the change of user and, unlike a file capability, does not
  // make the loader ignore the library path that is written into the binaries.
  // Without the secure bit access(2), by which initdb looks for `postgres`, ignores capabilities.
  const reach = [
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  return identity.reachEverything ? [...user, ...reach] : user;
}
