import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CommandError } from './exit-codes.ts';

/** What the command keeps between its runs. */
export interface Credentials {
  authUrl: string;
  webhooksUrl: string;
  notesUrl: string;
  email: string;
  accessToken: string;
  /** Empty when there is no login. */
  refreshToken: string;
  /** By the URL that they forward to. */
  listeners: Record<string, { id: string; secret: string }>;
}

export interface CredentialsFile {
  /** @returns undefined also for what nobody can read any more */
  read(): Promise<Credentials | undefined>;
  /** @throws CommandError when nothing can be stored, before anything is asked for that would be lost */
  checkWritable(): Promise<void>;
  /** Changes what is stored; runs of the command take turns. Nothing is changed on a disk that is full. */
  update(change: (stored: Credentials | undefined) => Promise<Credentials>): Promise<Credentials>;
  remove(): Promise<void>;
}

/** A change asks auth for a token at most; a lock that is older was left by a run that was killed. */
const LOCK_MAX_AGE_MS = 15_000;
const LOCK_RETRY_MS = 50;
/** Many runs may wait for one another. */
const WAIT_MAX_MS = 60_000;
/** More than the file needs: its tokens, and the listeners of the largest plan. */
const RESERVED_BYTES = 64 * 1024;

/** A file that only its user can read (mode 600), replaced as a whole so that it is never half written. */
export function openCredentialsFile(path: string): CredentialsFile {
  const lock = `${path}.lock`;

  async function read(): Promise<Credentials | undefined> {
    try {
      return JSON.parse(await readFile(path, 'utf8'));
    } catch (error) {
      if (isCode(error, 'ENOENT') || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  /** @returns what the lock holds while it is that of this call */
  async function acquire(): Promise<string> {
    const id = randomUUID();
    const endMs = Date.now() + WAIT_MAX_MS;
    while (Date.now() < endMs) {
      try {
        await writeFile(lock, id, { flag: 'wx', mode: 0o600 });
        return id;
      } catch (error) {
        if (!isCode(error, 'EEXIST')) throw error;
      }
      const atMs = await writtenMs(lock);
      if (atMs !== undefined && Date.now() - atMs > LOCK_MAX_AGE_MS) await removeLeft(atMs);
      else await sleep(LOCK_RETRY_MS);
    }
    throw new CommandError('failed', `Another run does not end: if there is none, delete ${lock}*`);
  }

  /** Removes the lock that was written then. One run at a time does so: the next lock has another time. */
  async function removeLeft(atMs: number): Promise<void> {
    const claim = `${lock}.${atMs}`;
    try {
      await writeFile(claim, '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      if (!isCode(error, 'EEXIST')) throw error;
      await sleep(LOCK_RETRY_MS);
      return;
    }
    if ((await writtenMs(lock)) === atMs) await rm(lock, { force: true });
    await rm(claim, { force: true });
  }

  async function release(id: string): Promise<void> {
    const held = await readFile(lock, 'utf8').catch(() => undefined);
    if (held === id) await rm(lock, { force: true });
  }

  const temporary = `${path}.${process.pid}.tmp`;
  const reserve = () => writeFile(temporary, ' '.repeat(RESERVED_BYTES), { mode: 0o600 });

  async function replace(change: (stored: Credentials | undefined) => Promise<Credentials>) {
    // Refreshing uses up the token that is stored: the new one has its space before.
    await reserve();
    const changed = await change(await read());
    const text = `${JSON.stringify(changed, null, 2)}\n`;
    const file = await open(temporary, 'r+');
    try {
      const { bytesWritten } = await file.write(text, 0);
      await file.truncate(bytesWritten);
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    return changed;
  }

  async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      const id = await acquire();
      try {
        return await work();
      } finally {
        await rm(temporary, { force: true });
        await release(id);
      }
    } catch (error) {
      if (!(error instanceof Error) || !('syscall' in error)) throw error;
      throw new CommandError('failed', `${path} cannot be written: ${error.message}`);
    }
  }

  return {
    read,
    update: (change) => inTurn(() => replace(change)),
    checkWritable: () => inTurn(reserve),
    remove: () => rm(path, { force: true }),
  };
}

/** When this file was written; undefined when it is gone. */
async function writtenMs(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
