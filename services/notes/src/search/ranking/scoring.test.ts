import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ENTRY_BYTES, NOTES_PER_BLOCK } from '../../search-index/entries.ts';
import { createScores } from './scoring.ts';

const ROWS = fc.array(
  fc.record({
    block: fc.integer({ min: 0, max: 2 }),
    offsets: fc.uniqueArray(fc.integer({ min: 0, max: NOTES_PER_BLOCK - 1 }), { maxLength: 300 }),
    weight: fc.integer({ min: 1, max: 3 }),
  }),
  { minLength: 1, maxLength: 6 },
);

test('the best few notes are the first of all notes that match, also among equal scores', () => {
  fc.assert(
    fc.property(ROWS, fc.integer({ min: 1, max: 50 }), (rows, limit) => {
      const scores = createScores({ noteCount: 2000, averageLength: 100 });
      for (const { block, offsets, weight } of rows) {
        const entries = Buffer.alloc(offsets.length * ENTRY_BYTES);
        for (const [index, offset] of offsets.entries()) {
          entries.set([0x80 | (offset >> 7), offset & 127, weight, 20], index * ENTRY_BYTES);
        }
        scores.addOccurrences(1, [{ number: 1, word: 'word', block, entries }]);
        scores.addWord(1, 0);
      }
      const all = scores.best(10_000, false);
      const few = scores.best(limit, false);
      expect(all.matches.length).toBe(all.total);
      expect(few).toEqual({ matches: all.matches.slice(0, limit), total: all.total });
    }),
  );
});
