import { chmod, mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORWARDED, runQuietly } from './run.mjs';

const SHARED_MEMORY = '/dev/shm';
/** For the databases of all test servers, with their write-ahead logs, and what browsers share. */
const MEMORY_MIN_BYTES = 8 * 1024 ** 3;

/**
 * Where tests have their temporary files: in memory, if there is enough. A test run makes and removes a hundred
 * thousand files, which costs a file system on a disk several percent of all processor time.
 * @returns {Promise<string>}
 */
export async function testFolder() {
  if (process.env.TMPDIR !== undefined) return tmpdir();
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  return (await isRoomy(SHARED_MEMORY)) && runsPrograms(SHARED_MEMORY, mounts)
    ? SHARED_MEMORY
    : tmpdir();
}

async function isRoomy(folder) {
  const room = await statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );
  return Math.min(room, freemem()) >= MEMORY_MIN_BYTES;
}

/**
 * Whether a tmpfs is mounted at this path from which programs may be started: containers mostly forbid it.
 * @param {string} path
 * @param {string} mounts what /proc/mounts says
 * @returns {boolean}
 */
export function runsPrograms(path, mounts) {
  const fields = mounts.split('\n').map((line) => line.split(' '));
  const [, , type, options = ''] = fields.findLast(([, mounted]) => mounted === path) ?? [];
  return type === 'tmpfs' && !options.split(',').includes('noexec');
}

/**
 * Runs programs with a folder of their own for temporary files, and removes it: interrupted tests and benchmarks leave
 * the data of their servers.
 * @template {{ root: string, env: NodeJS.ProcessEnv }} Tools
 * @template Result
 * @param {Tools} tools
 * @param {(tools: Tools) => Promise<Result>} work
 * @param {string} [parent] the folder in which it is
 * @returns {Promise<Result>}
 */
export async function withTemporaryFolder(tools, work, parent = tmpdir()) {
  const folder = await mkdtemp(join(parent, 'atrium-'));
  // npm passes on the Ctrl-C that the terminal has sent us already, perhaps while we clean up.
  const ignore = () => undefined;
  for (const name of FORWARDED) process.on(name, ignore);
  try {
    // Like the folder around it, since some servers run as other users.
    await chmod(folder, 0o1777);
    return await work({ ...tools, env: { ...tools.env, TMPDIR: folder } });
  } finally {
    // An error here would take the place of the result.
    await remove(folder, tools).catch((error) =>
      console.warn(`${folder} is left: ${error.message}`),
    );
    for (const name of FORWARDED) process.off(name, ignore);
  }
}

async function remove(folder, tools) {
  await unmountBelow(folder, tools);
  // A server that is still stopping may add a file meanwhile.
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}

/** Only Linux tells of mounts here, and only there is something mounted for a test. */
async function unmountBelow(folder, tools) {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  for (const path of mountsBelow(folder, mounts)) {
    const [command, ...args] = [...sudo, 'umount', '--lazy', path];
    const { code, output } = await runQuietly(command, args, tools);
    if (code !== 0) console.warn(`${path} is still mounted: ${output.trim()}`);
  }
}

/**
 * The mounts below a folder, the last one first: it may be in another.
 * @param {string} folder
 * @param {string} mounts what /proc/mounts says; it has octal numbers in place of some characters
 * @returns {string[]}
 */
export function mountsBelow(folder, mounts) {
  const decode = (text) =>
    text.replaceAll(/\\([0-7]{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)));
  const paths = mounts.split('\n').map((line) => decode(line.split(' ')[1] ?? ''));
  return paths.filter((path) => path.startsWith(`${folder}/`)).toReversed();
}
