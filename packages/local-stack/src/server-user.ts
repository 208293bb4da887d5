import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { findExecutable, type Identity } from './daemon.ts';

const run = promisify(execFile);
/** Accounts that every Unix has and that own nothing. initdb insists on one with a name. */
const CANDIDATES = ['nobody', 'daemon'];

/**
 * Whom Postgres runs as: it refuses to run as root, so root hands it to another user.
 * @param clusterDir the data directory; if it exists already, its owner is the one.
 * @param paths everything that user has to reach.
 * @returns undefined when we are not root and run it as ourselves.
 * @throws Error when no user can reach the paths.
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
      // This system has no such user: the next one.
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
