import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { commandLine, stopLeftover } from './process-identity.ts';

interface RunRecord {
  owner: { pid: number; commandLine: string | null };
  children: { pid: number; marker: string }[];
}

const fileOf = (dataDir: string) => join(dataDir, 'running.json');

/**
 * Stops the processes that a killed run on this data directory left behind.
 * @throws Error when that run is still alive: two platforms cannot share a data directory.
 */
export async function stopLeftoverRun(dataDir: string): Promise<void> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => null);
  if (text === null) return;
  const { owner, children } = JSON.parse(text) as RunRecord;
  const current = owner.pid === process.pid ? null : await commandLine(owner.pid);
  if (current !== null && current === owner.commandLine) {
    throw new Error(`Atrium already runs on ${dataDir} (process ${owner.pid}). Stop it first.`);
  }
  await Promise.all(children.map(({ pid, marker }) => stopLeftover(pid, marker, 'SIGTERM')));
  await forgetRun(dataDir);
}

/** Records our running processes, for the next start in case we are killed. */
export async function recordRun(dataDir: string, children: RunRecord['children']): Promise<void> {
  const owner = { pid: process.pid, commandLine: await commandLine(process.pid) };
  const record: RunRecord = { owner, children };
  const draft = `${fileOf(dataDir)}.new`;
  await writeFile(draft, JSON.stringify(record));
  await rename(draft, fileOf(dataDir));
}

export async function forgetRun(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}
