import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { crc32 } from 'node:zlib';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import type { FileStorage } from '../files/storage.ts';
import { sizeOf } from '../storage-use/store.ts';
import { yieldTurn } from '../yield-turn.ts';
import { type StoredArchive, StoredFile } from './stored-file.ts';

export interface ArchiveEntry {
  path: string;
  sizeBytes: number;
  modifiedAt: Date | undefined;
  /** The same for the same content at the same path. */
  hash: Uint8Array;
  /** @throws RefusedArchive when the content is not what the archive promises */
  content(): AsyncGenerator<Uint8Array>;
}

/** A sentence for the person whose archive cannot be imported. */
export class RefusedArchive extends Error {}

/** Each is in memory while the archive is imported. */
const ENTRIES_MAX = 10_000;
/** Extra fields and the comment of one entry in the directory. */
const EXTRA_MAX_BYTES = 1024;
const PATH_MAX_LENGTH = 800;
/** Text rarely shrinks below a tenth; beyond this size such a ratio is a bomb. */
const RATIO_MAX = 200;
const RATIO_FREE_BYTES = 64 * 1024 ** 2;
const LOCAL_HEADER_BYTES = 30;

/** What yauzl says of a file that does not end as an archive does. */
const NO_END = 'End of central directory';
const FIRST_DAY_END = Date.UTC(1980, 0, 2);
const UNIX_TYPE = 0o170000;
const UNIX_LINK = 0o120000;

/**
 * The files of a stored zip archive, after checking what its directory says of them.
 *
 * @throws RefusedArchive when it is damaged, or made to harm whoever unpacks it
 */
export async function openArchive(
  storage: FileStorage,
  file: StoredArchive,
  { unpackedMaxBytes, signal }: { unpackedMaxBytes: number; signal: AbortSignal },
): Promise<ArchiveEntry[]> {
  const stored = new StoredFile(storage, file, signal);
  try {
    const zip = await fromRandomAccessReaderPromise(stored, file.sizeBytes, { autoClose: false });
    if (zip.entryCount > ENTRIES_MAX) {
      throw new RefusedArchive(`The archive has more than ${ENTRIES_MAX} entries`);
    }
    const places: Entry[] = [];
    const entries: ArchiveEntry[] = [];
    let unpackedBytes = 0;
    const paths = new Set<string>();
    for await (const entry of zip.eachEntry()) {
      await yieldTurn();
      const path = entry.fileName;
      assertHarmless(entry, path);
      if (paths.has(path)) throw new RefusedArchive(`The archive has ${path} twice`);
      paths.add(path);
      unpackedBytes += entry.uncompressedSize;
      if (unpackedBytes > unpackedMaxBytes) {
        throw new RefusedArchive(`The archive has more than ${sizeOf(unpackedMaxBytes)} unpacked`);
      }
      if (path.endsWith('/')) continue;
      places.push(entry);
      entries.push(toEntry(stored, zip, entry));
      // They have been read, and take more memory than all else.
      entry.extraFields = [];
    }
    if (unpackedBytes > Math.max(RATIO_FREE_BYTES, RATIO_MAX * file.sizeBytes)) {
      throw new RefusedArchive('The archive is compressed so much that it looks like a zip bomb');
    }
    assertSeparate(places);
    return entries;
  } catch (error) {
    throw rejection(stored, error);
  }
}

function assertHarmless(entry: Entry, path: string): void {
  if (entry.extraFieldLength + entry.fileCommentLength > EXTRA_MAX_BYTES) {
    throw new RefusedArchive('The archive has an entry with too many extra fields');
  }
  if (entry.isEncrypted()) throw new RefusedArchive(`The archive is encrypted (${path})`);
  if (!entry.canDecodeFileData()) {
    throw new RefusedArchive(`The archive is compressed in an unknown way (${path})`);
  }
  if (((entry.externalFileAttributes >>> 16) & UNIX_TYPE) === UNIX_LINK) {
    throw new RefusedArchive(`The archive has a link (${path})`);
  }
  if (path.length > PATH_MAX_LENGTH)
    throw new RefusedArchive('The archive has a path that is too long');
  if (/\p{Cc}/u.test(path))
    throw new RefusedArchive('The archive has a path with control characters');
}

/** Entries that share bytes make an archive that unpacks to far more than it has. */
function assertSeparate(entries: readonly Entry[]): void {
  const inOrder = entries.toSorted(
    (a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader,
  );
  let end = 0;
  for (const { relativeOffsetOfLocalHeader: start, compressedSize, fileName } of inOrder) {
    if (start < end) throw new RefusedArchive(`The archive has entries that overlap (${fileName})`);
    end = start + LOCAL_HEADER_BYTES + compressedSize;
  }
}

function toEntry(stored: StoredFile, zip: ZipFile, entry: Entry): ArchiveEntry {
  const path = entry.fileName;
  const identity = JSON.stringify([path, entry.crc32, entry.uncompressedSize]);
  return {
    path,
    sizeBytes: entry.uncompressedSize,
    modifiedAt: timeOf(entry),
    hash: createHash('sha256').update(identity).digest(),
    async *content() {
      let checksum = 0;
      try {
        for await (const chunk of await zip.openReadStreamPromise(entry)) {
          checksum = crc32(chunk, checksum);
          yield chunk;
        }
        if (checksum !== entry.crc32) throw new Error(`${path} is not what it was`);
      } catch (error) {
        throw rejection(stored, error);
      }
    },
  };
}

/** Programs that know no time write the first day of the format. */
function timeOf(entry: Entry): Date | undefined {
  const time = entry.getLastModDate({ timezone: 'UTC' });
  return time.getTime() > FIRST_DAY_END && time.getTime() < Date.now() ? time : undefined;
}

function rejection(stored: StoredFile, error: unknown): unknown {
  if (stored.failure !== undefined || error instanceof RefusedArchive) return error;
  const reason = error instanceof Error ? error.message : String(error);
  if (reason.startsWith(NO_END))
    return new RefusedArchive('The file is not a complete zip archive');
  return new RefusedArchive(`The archive cannot be read: ${reason}`);
}

/** Reads a whole entry into memory, so it is for short ones. */
export function bytesOf(entry: ArchiveEntry): Promise<Buffer> {
  return buffer(entry.content());
}
