import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program with our terminal and passes signals on to it. It has a process group of its
 * own: Ctrl-C reaches it once, from us, and what it leaves behind ends with it.
 * @param {string} command
 * @param {string[]} args
 * @param {{ root: string, env: NodeJS.ProcessEnv }} tools
 * @returns {Promise<number>} its exit code; 128 and the signal's number when a signal ended it.
 */
export function runForeground(command, args, { root, env }) {
  const [file, fileArgs] = endingWithUs(command, args, env);
  const child = spawn(file, fileArgs, { cwd: root, env, stdio: 'inherit', detached: true });
  const forward = (signal) => signalGroup(child.pid, signal);
  for (const signal of FORWARDED) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      for (const name of FORWARDED) process.off(name, forward);
      signalGroup(child.pid, 'SIGKILL');
      resolve(code ?? 128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** Where Linux has setpriv, the kernel ends the program when we are killed outright. */
function endingWithUs(command, args, env) {
  if (process.platform !== 'linux') return [command, args];
  const folders = (env.PATH ?? '').split(delimiter);
  const setpriv = folders.map((folder) => join(folder, 'setpriv')).find((file) => existsSync(file));
  if (setpriv === undefined) return [command, args];
  return [setpriv, ['--pdeathsig=TERM', '--', command, ...args]];
}

function signalGroup(pid, signal) {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // Nobody of the group is left.
    if (error.code !== 'ESRCH') throw error;
  }
}
