import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

/** The name of libuv's pool threads, which compute the password hashes. */
const POOL_THREAD = 'libuv-worker';

/**
 * Lowers the priority of the hashing threads, so that saturating logins slow down each other and not
 * every other request. Call it after the first hash, which starts the threads. Linux only: there
 * setpriority(2) accepts the id of a single thread.
 *
 * @returns the number of threads changed
 */
export async function lowerHashingPriority(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  // Relative to the process: a priority can be lowered but not raised.
  const priority = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW);
  const threads = await readdir('/proc/self/task');
  let changed = 0;
  for (const thread of threads) {
    const name = await readFile(`/proc/self/task/${thread}/comm`, 'utf8').catch(() => '');
    if (name.trim() !== POOL_THREAD) continue;
    setPriority(Number(thread), priority);
    changed += 1;
  }
  return changed;
}
