import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_INTERVAL_MS = 25;

/** The command line of a running process, its arguments joined by spaces; null when there is none. */
export async function commandLine(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  try {
    if (process.platform === 'linux') {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      // A zombie keeps its entry, with nothing in it.
      return raw === '' ? null : raw.replaceAll('\0', ' ').trim();
    }
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.trim() === '' ? null : stdout.trim();
  } catch {
    // Both ways fail in the same manner when the process is gone.
    return null;
  }
}

/** Whether this process id still runs a command whose line contains `marker`: ids are reused. */
export async function isRunning(pid: number, marker: string): Promise<boolean> {
  return (await commandLine(pid))?.includes(marker) ?? false;
}

/**
 * Sends a signal to a process, or to its whole process group when `pid` is negative.
 * @returns false when there is no such process any more.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/**
 * Stops a process that an earlier run left behind: `signal` first, SIGKILL when it does not end in
 * time. Touches it only while its command line contains `marker`.
 */
export async function stopLeftover(
  pid: number,
  marker: string,
  signal: NodeJS.Signals,
  timeoutMs = 8_000,
): Promise<void> {
  const deadlineMs = Date.now() + timeoutMs;
  if (!(await isRunning(pid, marker))) return;
  sendSignal(pid, signal);
  while (await isRunning(pid, marker)) {
    if (Date.now() > deadlineMs) sendSignal(pid, 'SIGKILL');
    await sleep(POLL_INTERVAL_MS);
  }
}
