import type { Sql } from '@atrium/service-kit/database';
import { ENTRY_BYTES } from '../../search-index/entries.ts';
import type { Term } from '../query/vocabulary.ts';

/** A row of search_blocks. */
export interface Block {
  number: number;
  word: string;
  block: number;
  entries: Buffer;
}

/** At most 6 MB and 1.5 million entries, if every row were full. */
const BLOCKS_MAX = 3000;

/** Raw: measured. The newest blocks first, where not all of a word may be read. */
const READ_BLOCKS = `
  SELECT wanted.number, b.word, b.block, b.entries
  FROM unnest($1::integer[], $2::text[], $3::integer[]) AS wanted (number, word, rows), LATERAL (
    SELECT word, block, entries FROM search_blocks
    WHERE workspace_number = wanted.number AND word = wanted.word
    ORDER BY block DESC LIMIT wanted.rows
  ) AS b`;

/**
 * Reads where terms occur: those of conditions, then the rarest first. What exceeds the work that a
 * search may do is left out, older notes of the most frequent words, and then `isPartial` is true.
 */
export async function readBlocks(
  sql: Sql,
  conditions: readonly Term[],
  scored: readonly Term[],
  rowsMax: number = BLOCKS_MAX,
): Promise<{ blocksOf: Map<string, Block[]>; isPartial: boolean }> {
  const inTurn = [...conditions, ...scored.toSorted((a, b) => a.rows - b.rows)];
  let left = rowsMax;
  let isPartial = false;
  const reads: { number: number; word: string; rows: number }[] = [];
  for (const { word, blocks } of new Map(inTurn.map((term) => [term.word, term])).values()) {
    for (const [number, wanted] of blocks) {
      const rows = Math.min(wanted, left);
      if (rows < wanted) isPartial = true;
      if (rows > 0) reads.push({ number, word, rows });
      left -= rows;
    }
  }
  const found =
    reads.length === 0
      ? []
      : await sql.query<Block>(READ_BLOCKS, [
          reads.map(({ number }) => number),
          reads.map(({ word }) => word),
          reads.map(({ rows }) => rows),
        ]);
  return { blocksOf: Map.groupBy(found, ({ word }) => word), isPartial };
}

/** The offset in its block of the note whose entry begins at byte `at`. */
export function offsetAt(entries: Buffer, at: number): number {
  return (((entries[at] ?? 0) & 3) << 7) | (entries[at + 1] ?? 0);
}

/** The offsets of the notes that have the word of a block. */
export function offsetsIn({ entries }: Block): Uint16Array {
  const offsets = new Uint16Array(entries.length / ENTRY_BYTES);
  for (let index = 0; index < offsets.length; index += 1) {
    offsets[index] = offsetAt(entries, index * ENTRY_BYTES);
  }
  return offsets;
}
