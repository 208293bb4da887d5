import { isMarked } from './analysis.ts';

// A row of search_blocks holds one word's occurrences in up to 512 notes of a workspace, four bytes
// each: 0x80 and two bits of the note's offset in the block, seven more bits of it, the word's weight,
// and the class of the note's length. Only a first byte has its high bit set, so that SQL finds an
// entry by its first two bytes.

export const NOTES_PER_BLOCK = 512;
export const ENTRY_BYTES = 4;
/** Four classes each time the length doubles: small edits rarely change a note's class. */
const CLASSES_PER_DOUBLING = 4;
const CLASS_MAX = 127;

export function lengthClass(length: number): number {
  return Math.min(CLASS_MAX, Math.round(CLASSES_PER_DOUBLING * Math.log2(Math.max(1, length))));
}

export function lengthOfClass(value: number): number {
  return 2 ** (value / CLASSES_PER_DOUBLING);
}

const PROFILE_WORDS = 50;
const PROFILE_ENTRY_BYTES = 4;
/** Words that begin alike count as one: enough to see that two notes are about the same. */
const PROFILE_PREFIX_UNITS = 6;

/** The heaviest words of a note as hashes with their weights, by which notes are compared. */
export function profileOf(weights: ReadonlyMap<string, number>): Buffer {
  const byHash = new Map<number, number>();
  for (const [word, weight] of weights) {
    if (isMarked(word)) continue;
    const hash = hashOf(word.slice(0, PROFILE_PREFIX_UNITS));
    byHash.set(hash, (byHash.get(hash) ?? 0) + weight);
  }
  const heaviest = [...byHash]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, PROFILE_WORDS);
  const profile = Buffer.alloc(heaviest.length * PROFILE_ENTRY_BYTES);
  for (const [index, [hash, weight]] of heaviest.entries()) {
    profile.writeUIntBE(hash, index * PROFILE_ENTRY_BYTES, 3);
    profile.writeUInt8(Math.min(weight, 255), index * PROFILE_ENTRY_BYTES + 3);
  }
  return profile;
}

export function* readProfile(profile: Buffer): Generator<[hash: number, weight: number]> {
  for (let at = 0; at < profile.length; at += PROFILE_ENTRY_BYTES) {
    yield [profile.readUIntBE(at, 3), profile.readUInt8(at + 3)];
  }
}

/** FNV-1a, of which 24 bits are kept. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash ^ (hash >>> 24)) & 0xffffff;
}
