import { createHash } from 'node:crypto';

/** Bits per lookup. With 32 bits per password, 22 gives the fewest false positives. */
const PROBES = 22;
const BITS_PER_PASSWORD = 32;
const HEADER_BYTES = 4;
/** 48 bits, the largest integer that a Buffer reads. */
const WORD_BYTES = 6;

export interface CommonPasswords {
  /** Passwords in the list. */
  size: number;
  /** Expects the form of `foldPassword`. False positives: about one in five million. */
  has(folded: string): boolean;
}

/** Removes differences of letter case and compatibility forms. */
export function foldPassword(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/**
 * Packs folded passwords into a Bloom filter: their number in four bytes (big-endian), then the bits.
 * Each takes four bytes, and the list cannot be recovered from it.
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

/** @throws Error when the data was not made by `packCommonPasswords` */
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

/** Double hashing (Kirsch and Mitzenmacher, 2006): two hashes give all positions. */
function probesOf(text: string, byteLength: number): { byte: number; mask: number }[] {
  const digest = createHash('sha256').update(text).digest();
  const first = digest.readUIntBE(0, WORD_BYTES);
  const second = digest.readUIntBE(WORD_BYTES, WORD_BYTES);
  return Array.from({ length: PROBES }, (_, n) => {
    const position = (first + n * second) % (byteLength * 8);
    return { byte: Math.floor(position / 8), mask: 1 << (position % 8) };
  });
}
