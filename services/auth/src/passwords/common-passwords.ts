import { createHash } from 'node:crypto';

/** A question costs this many bits to look at; with 32 bits for each password, 22 are the best. */
const PROBES = 22;
const BITS_PER_PASSWORD = 32;
const HEADER_BYTES = 4;
/** 48 bits: the largest that a Buffer reads as a whole number. */
const WORD_BYTES = 6;

export interface CommonPasswords {
  /** How many the list has. */
  size: number;
  /** Takes the password in the form of `foldPassword`. Wrong once in about five million times. */
  has(folded: string): boolean;
}

/** One form for all ways of typing a text: compatibility forms and letter case do not count. */
export function foldPassword(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Packs folded passwords into a Bloom filter: their number in four bytes (big-endian), then the bits.
 * That takes four bytes each, whatever their length, and the list cannot be read out of it.
 */
export function packCommonPasswords(folded: ReadonlySet<string>): Buffer {
  const packed = Buffer.alloc(HEADER_BYTES + Math.ceil((folded.size * BITS_PER_PASSWORD) / 8));
  packed.writeUInt32BE(folded.size);
  const bits = packed.subarray(HEADER_BYTES);
  for (const password of folded) {
    for (const { byte, mask } of probesOf(password, bits.length)) {
      bits[byte] = (bits[byte] ?? 0) | mask;
    }
  }
  return packed;
}

/** @throws Error when the data is not what `packCommonPasswords` made */
export function openCommonPasswords(packed: Buffer): CommonPasswords {
  const size = packed.length < HEADER_BYTES ? 0 : packed.readUInt32BE();
  const bits = packed.subarray(HEADER_BYTES);
  if (size === 0 || bits.length !== Math.ceil((size * BITS_PER_PASSWORD) / 8)) {
    throw new Error('The list of common passwords is damaged');
  }
  return {
    size,
    has: (folded) =>
      probesOf(folded, bits.length).every(({ byte, mask }) => ((bits[byte] ?? 0) & mask) !== 0),
  };
}

/** Double hashing (Kirsch and Mitzenmacher, 2006): two hashes make all the positions. */
function probesOf(text: string, byteLength: number): { byte: number; mask: number }[] {
  const digest = createHash('sha256').update(text).digest();
  const first = digest.readUIntBE(0, WORD_BYTES);
  const second = digest.readUIntBE(WORD_BYTES, WORD_BYTES);
  return Array.from({ length: PROBES }, (_, n) => {
    const position = (first + n * second) % (byteLength * 8);
    return { byte: Math.floor(position / 8), mask: 1 << (position % 8) };
  });
}
