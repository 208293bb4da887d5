import { readdir, readFile } from 'node:fs/promises';

/** The kernel's unit in /proc/<pid>/stat: a hundredth of a second on every Linux we know. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Its own time, and that of its children that have ended and been waited for. */
  seconds: number;
}

/**
 * CPU seconds (user and system) that a process and its descendants have used so far; undefined
 * where there is no /proc.
 */
export async function cpuSeconds(pid: number): Promise<number | undefined> {
  const stats = new Map<number, Stat>();
  const entries = await readdir('/proc').catch(() => undefined);
  if (entries === undefined) return undefined;
  for (const entry of entries.filter((name) => /^\d+$/.test(name))) {
    const text = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => undefined);
    // A process that ended between the two reads is counted by its parent.
    if (text !== undefined) stats.set(Number(entry), parseStat(text));
  }
  let seconds = 0;
  const open = [pid];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    seconds += stats.get(next)?.seconds ?? 0;
    for (const [child, { parent }] of stats) if (parent === next) open.push(child);
  }
  return seconds;
}

/** proc_pid_stat(5): behind the name, which may contain anything, the fields are plain. */
function parseStat(text: string): Stat {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
}

/** CPU seconds that each of these processes has used so far. */
export async function cpuSecondsOf(pids: Record<string, number>): Promise<Record<string, number>> {
  const entries = Object.entries(pids).map(
    async ([name, pid]) => [name, (await cpuSeconds(pid)) ?? NaN] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}
