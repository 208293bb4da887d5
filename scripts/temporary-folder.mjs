import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORWARDED, runQuietly } from './run.mjs';

/**
 * Runs programs with a folder of their own for temporary files, and removes it: interrupted tests and benchmarks leave
 * the data of their servers.
 * @template {{ root: string, env: NodeJS.ProcessEnv }} Tools
 * @template Result
 * @param {Tools} tools
 * @param {(tools: Tools) => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function withTemporaryFolder(tools, work) {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-'));
  // npm passes on the Ctrl-C that the terminal has sent us already, perhaps while we clean up.
  const ignore = () => undefined;
  for (const name of FORWARDED) process.on(name, ignore);
  try {
    // Like the folder around it, since some servers run as other users.
    await chmod(folder, 0o1777);
    return await work({ ...tools, env: { ...tools.env, TMPDIR: folder } });
  } finally {
    await unmountBelow(folder, tools);
    // A server that is still stopping may add a file meanwhile.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    for (const name of FORWARDED) process.off(name, ignore);
  }
}

/** Only Linux tells of mounts here, and only there is something mounted for a test. */
async function unmountBelow(folder, tools) {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const paths = mounts.split('\n').map((line) => line.split(' ')[1] ?? '');
  const sudo = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  for (const path of paths.filter((each) => each.startsWith(`${folder}/`))) {
    const [command, ...args] = [...sudo, 'umount', '--lazy', path];
    await runQuietly(command, args, tools);
  }
}
