import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

export const NO_SMALL_DISK =
  'A full disk needs a tmpfs, which cannot be mounted here: that takes root, or sudo without a password.';

/** @throws Error when no tmpfs can be mounted */
export async function mountSmallDisk(): Promise<SmallDisk> {
  await using stack = new AsyncDisposableStack();
  const path = await mkdtemp(join(tmpdir(), 'atrium-disk-'));
  stack.defer(() => rm(path, { recursive: true, force: true }));
  try {
    const options = `size=${SIZE_MB}m,uid=${process.getuid?.()}`;
    await asRoot('mount', '-t', 'tmpfs', '-o', options, 'tmpfs', path);
  } catch (cause) {
    throw new Error(NO_SMALL_DISK, { cause });
  }
  stack.defer(() => asRoot('umount', path));
  const mounted = stack.move();
  const filler = join(path, 'filler');
  return {
    path,
    async fill() {
      await writeFile(filler, endlessBlocks()).catch(expectFull);
    },
    free: () => rm(filler, { force: true }),
    [Symbol.asyncDispose]: () => mounted.disposeAsync(),
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
