import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file system of a fixed size that can be filled up. */
export interface SmallDisk extends AsyncDisposable {
  path: string;
  /** Leaves no free space. */
  fill(): Promise<void>;
  /** Frees what `fill` took. */
  free(): Promise<void>;
}

/** Holds four databases and the write-ahead log of all faults, one after another. */
const SIZE_MB = 1_536;

/** @throws Error when no tmpfs can be mounted, which takes root or sudo without a password */
export async function mountSmallDisk(path: string): Promise<SmallDisk> {
  await mkdir(path, { recursive: true });
  try {
    const options = `size=${SIZE_MB}m,uid=${process.getuid?.()}`;
    await asRoot('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path);
  } catch (cause) {
    throw new Error('A full disk needs a tmpfs, which cannot be mounted here: run as root.', {
      cause,
    });
  }
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      await writeFile(filler, endlessBlocks()).catch(expectFull);
    },
    free: () => rm(filler, { force: true }),
    async [Symbol.asyncDispose]() {
      await asRoot('umount', path);
    },
  };
}

async function asRoot(program: string, ...args: string[]): Promise<void> {
  if (process.getuid?.() === 0) await run(program, args);
  else await run('sudo', ['--non-interactive', program, ...args]);
}

function* endlessBlocks(): Generator<Buffer> {
  const block = Buffer.alloc(1024 * 1024);
  for (;;) yield block;
}

function expectFull(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
}
