import { ENTRY_BYTES, lengthOfClass, NOTES_PER_BLOCK } from '../../search-index/entries.ts';
import type { Statistics } from '../query/scope.ts';
import type { NoteNumber } from './note-numbers.ts';
import { type Block, offsetAt, offsetsIn } from './postings.ts';

/** Ranking by InL2 (Amati and van Rijsbergen, 2002), over words as their stems. */

export interface Match extends NoteNumber {
  score: number;
}

/** A word that occurs this often (per note of average length) counts half of what it can count. */
const HALF_SATURATION = 4;

interface Frame {
  number: number;
  block: number;
  scores: Float64Array;
  /** How often each note has the word being read; its notes are the first `touchedCount` of `touched`. */
  occurrences: Float32Array;
  touched: Uint16Array;
  touchedCount: number;
  lengthClasses: Uint8Array;
  /** How many of the required conditions a note meets. */
  conditions: Uint8Array;
  isExcluded: Uint8Array;
}

export interface Scores {
  /** Reads where a form of a word of the query occurs, and how much an occurrence of it counts. */
  addOccurrences(weight: number, blocks: readonly Block[]): void;
  /**
   * Adds the share of the word whose forms have been read to the score of each note that has it.
   *
   * @param notesWithout how many more notes contain it, though their index lacks it
   */
  addWord(count: number, notesWithout: number): void;
  /** Lets only those notes pass that occur in the blocks. */
  require(blocks: readonly Block[]): void;
  /** Lets only those notes pass that are among the given ones or have a score. */
  requireNotes(notes: readonly { number: number; noteNumbers: readonly number[] }[]): void;
  exclude(blocks: readonly Block[]): void;
  /**
   * The notes that pass, the best first, at most `limit`; and how many there are.
   *
   * @param isFilter whether the conditions alone make a note a match
   */
  best(limit: number, isFilter: boolean): { matches: Match[]; total: number };
  /** The score of an imaginary note that consists of the words of the query. */
  readonly highest: number;
}

const LENGTHS = Array.from({ length: 128 }, (_, value) => lengthOfClass(value));

export function createScores({ noteCount, averageLength }: Statistics): Scores {
  const frames = new Map<string, Frame>();
  let required = 0;
  let highest = 0;
  const normalizers = LENGTHS.map((length) => Math.log2(1 + (2 * averageLength) / length));

  function frameOf(number: number, block: number): Frame {
    const key = `${number} ${block}`;
    const known = frames.get(key);
    if (known !== undefined) return known;
    const frame: Frame = {
      number,
      block,
      scores: new Float64Array(NOTES_PER_BLOCK),
      occurrences: new Float32Array(NOTES_PER_BLOCK),
      touched: new Uint16Array(NOTES_PER_BLOCK),
      touchedCount: 0,
      lengthClasses: new Uint8Array(NOTES_PER_BLOCK),
      conditions: new Uint8Array(NOTES_PER_BLOCK),
      isExcluded: new Uint8Array(NOTES_PER_BLOCK),
    };
    frames.set(key, frame);
    return frame;
  }
  function meetCondition(conditions: Uint8Array, offset: number): void {
    if (conditions[offset] === required) conditions[offset] = required + 1;
  }
  return {
    get highest() {
      return highest;
    },
    addOccurrences(weight, blocks) {
      for (const { number, block, entries } of blocks) {
        const frame = frameOf(number, block);
        const { occurrences, lengthClasses, touched } = frame;
        for (let at = 0; at < entries.length; at += ENTRY_BYTES) {
          const offset = offsetAt(entries, at);
          const known = occurrences[offset] ?? 0;
          if (known === 0) {
            touched[frame.touchedCount] = offset;
            frame.touchedCount += 1;
          }
          occurrences[offset] = known + weight * (entries[at + 2] ?? 0);
          lengthClasses[offset] = entries[at + 3] ?? 0;
        }
      }
    },
    addWord(count, notesWithout) {
      let indexed = 0;
      for (const { touchedCount } of frames.values()) indexed += touchedCount;
      if (indexed === 0) return;
      const documentFrequency = indexed + notesWithout;
      const information = count * Math.log2((noteCount + 1) / (documentFrequency + 0.5));
      const gain = Math.max(information, Number.EPSILON);
      highest += gain;
      for (const frame of frames.values()) {
        const { scores, occurrences, lengthClasses, touched } = frame;
        for (let at = 0; at < frame.touchedCount; at += 1) {
          const offset = touched[at] ?? 0;
          const normalizer = normalizers[lengthClasses[offset] ?? 0] ?? 0;
          const normalized = (occurrences[offset] ?? 0) * normalizer;
          scores[offset] =
            (scores[offset] ?? 0) + (gain * normalized) / (normalized + HALF_SATURATION);
          occurrences[offset] = 0;
        }
        frame.touchedCount = 0;
      }
    },
    require(blocks) {
      for (const block of blocks) {
        const { conditions } = frameOf(block.number, block.block);
        for (const offset of offsetsIn(block)) meetCondition(conditions, offset);
      }
      required += 1;
    },
    requireNotes(notes) {
      for (const { scores, conditions } of frames.values()) {
        for (const [offset, score] of scores.entries()) {
          if (score > 0) meetCondition(conditions, offset);
        }
      }
      for (const { number, noteNumbers } of notes) {
        for (const noteNumber of noteNumbers) {
          const { conditions } = frameOf(number, Math.floor(noteNumber / NOTES_PER_BLOCK));
          meetCondition(conditions, noteNumber % NOTES_PER_BLOCK);
        }
      }
      required += 1;
    },
    exclude(blocks) {
      for (const block of blocks) {
        const { isExcluded } = frameOf(block.number, block.block);
        for (const offset of offsetsIn(block)) isExcluded[offset] = 1;
      }
    },
    best(limit, isFilter) {
      const matches: Match[] = [];
      let total = 0;
      let lowest = 0;
      for (const { number, block, scores, conditions, isExcluded } of frames.values()) {
        for (let offset = 0; offset < NOTES_PER_BLOCK; offset += 1) {
          const score = scores[offset] ?? 0;
          const isMatch = isFilter || score > 0;
          if (!isMatch || conditions[offset] !== required || isExcluded[offset] === 1) continue;
          total += 1;
          if (score < lowest) continue;
          matches.push({ number, noteNumber: block * NOTES_PER_BLOCK + offset, score });
          if (matches.length < 2 * limit) continue;
          matches.sort(compare).length = limit;
          lowest = matches.at(-1)?.score ?? 0;
        }
      }
      return { matches: matches.sort(compare).slice(0, limit), total };
    },
  };
}

/** The higher score first; with equal scores the newer note. */
function compare(a: Match, b: Match): number {
  return b.score - a.score || b.noteNumber - a.noteNumber || b.number - a.number;
}
