import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join } from 'node:path';

export const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const OUTPUT_MAX_CHARACTERS = 100_000;

/**
 * Runs a program with our terminal.
 * @param {string} command
 * @param {string[]} args
 * @param {{ root: string, env: NodeJS.ProcessEnv }} tools
 * @returns {Promise<number>} its exit code; 128 plus the signal's number when a signal ended it
 */
export function runForeground(command, args, tools) {
  return exitCode(start(command, args, tools, 'inherit'));
}

/**
 * Runs a program that prints nothing on our terminal.
 * @returns {Promise<{ code: number, stdout: string, output: string }>} `output` is both streams as they
 *   came; only the end of a very long output is kept
 */
export async function runQuietly(command, args, tools) {
  const child = start(command, args, tools, ['ignore', 'pipe', 'pipe']);
  let stdout = '';
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout = (stdout + text).slice(-OUTPUT_MAX_CHARACTERS);
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      output = (output + text).slice(-OUTPUT_MAX_CHARACTERS);
    });
  }
  const closed = once(child, 'close');
  const code = await exitCode(child);
  await closed;
  return { code, stdout, output };
}

/** A process group of its own: Ctrl-C reaches it once, from us, and what it leaves behind ends too. */
function start(command, args, { root, env }, stdio) {
  const [file, fileArgs] = endingWithUs(command, args, env);
  return spawn(file, fileArgs, { cwd: root, env, stdio, detached: true });
}

function exitCode(child) {
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
    // The whole group has ended.
    if (error.code !== 'ESRCH') throw error;
  }
}
