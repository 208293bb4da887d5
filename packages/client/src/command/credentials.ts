import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** What the command keeps between its runs. */
export interface Credentials {
  authUrl: string;
  webhooksUrl: string;
  notesUrl: string;
  email: string;
  accessToken: string;
  /** The refresh and the device cookie, as a browser would send them. */
  cookies: Record<string, string>;
  /** By the address that they forward to. */
  listeners: Record<string, { id: string; secret: string }>;
}

export interface CredentialsFile {
  read(): Promise<Credentials | undefined>;
  /** Changes what is stored; runs of the command take turns. */
  update(change: (stored: Credentials | undefined) => Promise<Credentials>): Promise<Credentials>;
  remove(): Promise<void>;
}

/** A change asks auth for a token at most; a lock that is older was left by a run that was killed. */
const LOCK_MAX_AGE_MS = 15_000;
const LOCK_RETRY_MS = 50;

/** A file that only its user can read (mode 600), replaced as a whole so that it is never half written. */
export function openCredentialsFile(path: string): CredentialsFile {
  const lock = `${path}.lock`;

  async function read(): Promise<Credentials | undefined> {
    try {
      return JSON.parse(await readFile(path, 'utf8'));
    } catch (error) {
      if (isCode(error, 'ENOENT')) return undefined;
      throw error;
    }
  }

  async function acquire(): Promise<void> {
    for (;;) {
      try {
        await (await open(lock, 'wx', 0o600)).close();
        return;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
      if (Date.now() - mtimeMs > LOCK_MAX_AGE_MS) await rm(lock, { force: true });
      else await sleep(LOCK_RETRY_MS);
    }
  }

  return {
    read,
    async update(change) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await acquire();
      try {
        const changed = await change(await read());
        const temporary = `${path}.${process.pid}.tmp`;
        await writeFile(temporary, `${JSON.stringify(changed, null, 2)}\n`, { mode: 0o600 });
        await rename(temporary, path);
        return changed;
      } finally {
        await rm(lock, { force: true });
      }
    },
    remove: () => rm(path, { force: true }),
  };
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
