import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type FileStorage, MissingFile } from './storage.ts';

/** Files in a folder, for a single machine. Every process of the service needs the same folder. */
export function openFolderStorage(folder: string): FileStorage {
  // The end of an id is random, so the subfolders fill evenly.
  const pathOf = (key: string) => join(folder, key.slice(-2), key);
  return {
    async write(key, content, { signal }) {
      const path = pathOf(key);
      const unfinished = `${path}.unfinished`;
      await mkdir(dirname(path), { recursive: true });
      try {
        // Flushed, and so are the folders, so that a database row never outlives the bytes it promises.
        // Opened here: a stream that opens it could still do so after the removal below.
        const file = await open(unfinished, 'w', 0o600);
        await pipeline(content, file.createWriteStream({ flush: true }), {
          ...(signal && { signal }),
        });
        await rename(unfinished, path);
        for (const changed of [dirname(path), folder]) await flushFolder(changed);
      } catch (error) {
        for (const written of [unfinished, path]) await rm(written, { force: true });
        throw error;
      }
    },
    async read(key, { range = { start: 0, end: Number.POSITIVE_INFINITY }, signal } = {}) {
      const file = await open(pathOf(key)).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'ENOENT' ? new MissingFile(key, error) : error;
      });
      return file.createReadStream({ ...range, signal });
    },
    async remove(key) {
      await rm(pathOf(key), { force: true });
      // What a process that was killed has left.
      await rm(`${pathOf(key)}.unfinished`, { force: true });
    },
  };
}

/** Otherwise a power cut may undo a rename. */
async function flushFolder(path: string): Promise<void> {
  await using opened = await open(path);
  await opened.sync();
}
