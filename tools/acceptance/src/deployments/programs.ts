import { readdir } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { findExecutable } from '@atrium/local-stack/processes/daemon';

/** The programs that scenarios run, by the package of Debian that has each. */
const PACKAGES = {
  'redis-server': 'redis-server',
  'redis-cli': 'redis-tools',
  'valkey-server': 'valkey-server',
  pgbouncer: 'pgbouncer',
  pgbackrest: 'pgbackrest',
  pg_basebackup: 'postgresql',
  openssl: 'openssl',
} as const;
export type Program = keyof typeof PACKAGES;

const VERSIONS_OF_POSTGRES = '/usr/lib/postgresql';

/** @throws Error that names the package */
export async function findProgram(name: Program): Promise<string> {
  const found = await findExecutable(name, await searchPath());
  if (found === null) throw new Error(`${name} is missing: apt-get install ${PACKAGES[name]}`);
  return found;
}

/** The packages that must be installed for these programs. */
export async function missingPackages(names: readonly Program[]): Promise<string[]> {
  const path = await searchPath();
  const found = await Promise.all(names.map((name) => findExecutable(name, path)));
  return names.filter((_, index) => found[index] === null).map((name) => PACKAGES[name]);
}

/** Debian keeps the newest Postgres, like those before it, in a folder of its version. */
async function searchPath(): Promise<string> {
  const versions = await readdir(VERSIONS_OF_POSTGRES).catch((): string[] => []);
  const newest = versions.toSorted((a, b) => Number(b) - Number(a))[0];
  const postgres = newest === undefined ? [] : [join(VERSIONS_OF_POSTGRES, newest, 'bin')];
  return [...postgres, process.env['PATH'] ?? '', '/usr/sbin'].join(delimiter);
}
