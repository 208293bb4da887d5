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
  refreshToken: string;
  /** By the address that they forward to. */
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
      await acquire();
      try {
        return await work();
      } finally {
        await rm(temporary, { force: true });
        await rm(lock, { force: true });
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

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
