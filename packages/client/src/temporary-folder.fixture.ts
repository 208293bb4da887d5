import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

const parent = join(import.meta.dirname, '..', '.data');

/** A folder two levels deep in the package, where code finds the package and its dependencies. */
export async function temporaryFolder(): Promise<AsyncDisposable & { path: string }> {
  await mkdir(parent, { recursive: true });
  const path = await mkdtemp(join(parent, 'test-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
