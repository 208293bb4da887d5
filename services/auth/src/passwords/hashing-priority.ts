import { readdir, readFile } from 'node:fs/promises';
import { constants, getPriority, setPriority } from 'node:os';

/** What libuv calls the threads of its pool, on which password hashes are computed. */
const POOL_THREAD = 'libuv-worker';

/**
 * Puts the hashing threads behind the event loop and the database: when logins use up the processor,
 * they take longer and everybody else's small requests do not. Call it once a hash has been made,
 * since the threads begin with the first one. On Linux setpriority(2) takes the id of one thread;
 * elsewhere nothing is changed.
 *
 * @returns how many threads have been moved.
 */
export async function lowerHashingPriority(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  const { PRIORITY_BELOW_NORMAL, PRIORITY_LOW } = constants.priority;
  // From where the process is: to raise a thread of one that runs at a low priority is forbidden.
  const behind = Math.min(getPriority() + PRIORITY_BELOW_NORMAL, PRIORITY_LOW);
  const threads = await readdir('/proc/self/task');
  let moved = 0;
  for (const thread of threads) {
    const name = await readFile(`/proc/self/task/${thread}/comm`, 'utf8').catch(() => '');
    if (name.trim() !== POOL_THREAD) continue;
    setPriority(Number(thread), behind);
    moved += 1;
  }
  return moved;
}
