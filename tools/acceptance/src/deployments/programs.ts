import { delimiter } from 'node:path';
import { findExecutable } from '@atrium/local-stack/processes/daemon';

/** The programs that scenarios run, by the package of Debian that has each. */
const PACKAGES = {
  'redis-server': 'redis-server',
  'redis-cli': 'redis-tools',
  'valkey-server': 'valkey-server',
  pgbouncer: 'pgbouncer',
  openssl: 'openssl',
} as const;
export type Program = keyof typeof PACKAGES;

/** Debian keeps some out of the PATH of users. */
const SEARCH_PATH = [process.env['PATH'] ?? '', '/usr/sbin'].join(delimiter);

/** @throws Error that names the package */
export async function findProgram(name: Program): Promise<string> {
  const found = await findExecutable(name, SEARCH_PATH);
  if (found === null) throw new Error(`${name} is missing: apt-get install ${PACKAGES[name]}`);
  return found;
}

/** The packages that must be installed for these programs. */
export async function missingPackages(names: readonly Program[]): Promise<string[]> {
  const found = await Promise.all(names.map((name) => findExecutable(name, SEARCH_PATH)));
  return names.filter((_, index) => found[index] === null).map((name) => PACKAGES[name]);
}
