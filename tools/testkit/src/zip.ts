import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  path: string;
  content?: string | Buffer;
  isCompressed?: boolean;
  /** What the directory says, where it is a lie. */
  sizeBytes?: number;
  checksum?: number;
  flags?: number;
  mode?: number;
  /** Points at the content of the first entry. */
  isOverlapping?: boolean;
  modifiedAt?: Date;
  /** In the directory. */
  comment?: string;
}

const UTF8 = 0x800;
const FILE = 0o100644;

/** A zip archive as any program may write it, or as none should. */
export function zip(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const { path, isCompressed = false, flags = 0, mode = FILE, isOverlapping = false } = entry;
    const content = Buffer.from(entry.content ?? '');
    const { sizeBytes = content.length, checksum = crc32(content) } = entry;
    const packed = isCompressed ? deflateRawSync(content) : content;
    const name = Buffer.from(path);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(20, 0);
    header.writeUInt16LE(UTF8 | flags, 2);
    header.writeUInt16LE(isCompressed ? 8 : 0, 4);
    writeTime(header, entry.modifiedAt);
    header.writeUInt32LE(checksum, 10);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(sizeBytes, 18);
    header.writeUInt16LE(name.length, 22);
    const central = Buffer.alloc(14);
    central.writeUInt32LE((mode << 16) >>> 0, 6);
    central.writeUInt32LE(isOverlapping ? 0 : offset, 10);
    const comment = Buffer.from(entry.comment ?? '');
    central.writeUInt16LE(comment.length, 0);
    // The version of the program (Unix) stands before what both headers have.
    directory.push(Buffer.from('PK\x01\x02\x14\x03', 'latin1'), header, central, name, comment);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), header, name, packed]);
    parts.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  const central = Buffer.concat(directory);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...parts, central, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

/** As MS-DOS did, in UTC. */
function writeTime(header: Buffer, time = new Date(Date.UTC(1980, 0))): void {
  const day = time.getUTCDate() | ((time.getUTCMonth() + 1) << 5);
  header.writeUInt16LE(
    (time.getUTCSeconds() >> 1) | (time.getUTCMinutes() << 5) | (time.getUTCHours() << 11),
    6,
  );
  header.writeUInt16LE(day | ((time.getUTCFullYear() - 1980) << 9), 8);
}
