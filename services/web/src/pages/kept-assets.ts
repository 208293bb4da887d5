import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '@atrium/service-kit/logger';

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;

/**
 * Puts the files of this build beside those of earlier builds: a page that was opened before a deploy
 * loads the rest of its script after it. Once a week has passed since a process renewed it, a file of
 * another build is deleted.
 */
export async function keepAssets(built: string, kept: string, nowMs: number): Promise<void> {
  await mkdir(kept, { recursive: true });
  const own = new Set(await readdir(built));
  for (const name of own) {
    // Renamed when it is whole, because browsers keep what they get for a year.
    const copy = join(kept, `.${randomUUID()}`);
    await copyFile(join(built, name), copy);
    await utimes(copy, nowMs / 1000, nowMs / 1000);
    await rename(copy, join(kept, name));
  }
  for (const name of await readdir(kept)) {
    const file = join(kept, name);
    if (!own.has(name) && nowMs - (await renewedMs(file)) > KEPT_MS)
      await rm(file, { force: true });
  }
}

/** A file that another process has just renamed counts as new. */
async function renewedMs(file: string): Promise<number> {
  try {
    return (await stat(file)).mtimeMs;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Infinity;
    throw error;
  }
}

/** Keeps the files now and renews them every day. A failure is logged: the pages work without it. */
export async function startKeepingAssets(options: {
  built: string;
  kept: string;
  logger: Logger;
}): Promise<Disposable> {
  const { built, kept, logger } = options;
  const renew = () =>
    keepAssets(built, kept, Date.now()).catch((error: unknown) =>
      logger.warn({ err: error }, 'assets could not be kept for open pages, next attempt in a day'),
    );
  await renew();
  const timer = setInterval(() => void renew(), DAY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
