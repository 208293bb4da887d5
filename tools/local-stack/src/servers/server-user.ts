import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable, type Identity } from '../processes/daemon.ts';

const run = promisify(execFile);
/** Users that every Unix has and that own no files. initdb needs a user with a name. */
const CANDIDATES = ['nobody', 'daemon'];

/**
 * The user that Postgres runs as: it refuses to run as root, so root starts it as another user.
 * @param clusterDir the data directory; if it exists, its owner is used
 * @param paths what that user must be able to reach
 * @returns undefined when we are not root, so that it runs as our own user
 * @throws Error when no user can reach the paths
 */
export async function serverUser(
  clusterDir: string,
  paths: string[],
): Promise<Identity | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const existing = await stat(clusterDir).catch(() => null);
  const { uid, gid } = existing !== null && existing.uid !== 0 ? existing : await ordinaryUser();
  const closed = await firstClosedFolder(paths, uid, gid);
  if (closed === null) return { uid, gid, reachEverything: false };
  if ((await findExecutable('setpriv')) !== null) return { uid, gid, reachEverything: true };
  throw new Error(
    `Postgres does not run as root, and no other user may enter ${closed}: ` +
      'install setpriv (util-linux), or move the repository to a folder that is not private.',
  );
}

async function ordinaryUser(): Promise<{ uid: number; gid: number }> {
  for (const name of CANDIDATES) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // This system has no such user.
    }
  }
  throw new Error(`Postgres does not run as root, and none of ${CANDIDATES.join(', ')} exists.`);
}

async function firstClosedFolder(
  paths: string[],
  uid: number,
  gid: number,
): Promise<string | null> {
  for (const path of paths) {
    for (let folder = dirname(resolve(path)); ; folder = dirname(folder)) {
      const info = await stat(folder);
      const bit = info.uid === uid ? 0o100 : info.gid === gid ? 0o010 : 0o001;
      if ((info.mode & bit) === 0) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  return null;
}
