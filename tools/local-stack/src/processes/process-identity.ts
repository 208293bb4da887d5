import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const POLL_INTERVAL_MS = 25;

/** The command line of a running process, or null when there is no such process. */
export async function commandLine(pid: number): Promise<string | null> {
  if (!Number.isSafeInteger(pid) || pid <= 1) return null;
  try {
    if (process.platform === 'linux') {
      const raw = await readFile(`/proc/${pid}/cmdline`, 'utf8');
      // A zombie has an empty command line.
      return raw === '' ? null : raw.replaceAll('\0', ' ').trim();
    }
    const { stdout } = await run('ps', ['-ww', '-o', 'command=', '-p', String(pid)]);
    return stdout.trim() === '' ? null : stdout.trim();
  } catch {
    // The process has exited.
    return null;
  }
}

/** Whether the process runs and its command line contains `marker`; process ids are reused. */
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
 * Stops a process of an earlier run with `signal`, and with SIGKILL after `timeoutMs`. Never touches a
 * process whose command line does not contain `marker`.
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
