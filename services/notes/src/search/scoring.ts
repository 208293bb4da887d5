import { lengthOfClass, NOTES_PER_BLOCK } from '../search-index/entries.ts';
import { type Block, eachEntry } from './postings.ts';

/** Ranking by InL2 (Amati and van Rijsbergen, 2002), over words as their stems. */

export interface Statistics {
  noteCount: number;
  averageLength: number;
}

/** A word of the query as it occurs in the notes: each of its terms with the rows that it is in. */
export interface ScoredWord {
  count: number;
  terms: { weight: number; blocks: readonly Block[] }[];
}

/** A note by its numbers in the index: that of its workspace and its own. */
export interface NoteNumber {
  number: number;
  noteNumber: number;
}

export interface Match extends NoteNumber {
  score: number;
}

/** A word that occurs this often (per note of average length) counts half of what it can count. */
const HALF_SATURATION = 4;

interface Frame {
  number: number;
  block: number;
  scores: Float64Array;
  /** Of the word that is being read, and the notes that have it. */
  occurrences: Float32Array;
  touched: number[];
  lengthClasses: Uint8Array;
  /** How many of the required conditions a note meets. */
  conditions: Uint8Array;
  isExcluded: Uint8Array;
}

export interface Scores {
  /** Adds the share of one word of the query to the score of each note that has it. */
  addWord(word: ScoredWord): void;
  /** Lets only those notes pass that occur in the blocks. */
  require(blocks: readonly Block[]): void;
  /** Lets only those notes pass that are among the given ones. */
  requireNotes(notes: Iterable<NoteNumber>): void;
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
      touched: [],
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
    addWord({ count, terms }) {
      const touched = new Set<Frame>();
      for (const { weight, blocks } of terms) {
        for (const block of blocks) {
          const frame = frameOf(block.number, block.block);
          touched.add(frame);
          eachEntry(block, (offset, occurrences, lengthClass) => {
            const known = frame.occurrences[offset] ?? 0;
            if (known === 0) frame.touched.push(offset);
            frame.occurrences[offset] = known + weight * occurrences;
            frame.lengthClasses[offset] = lengthClass;
          });
        }
      }
      let documentFrequency = 0;
      for (const frame of touched) documentFrequency += frame.touched.length;
      if (documentFrequency === 0) return;
      const information = count * Math.log2((noteCount + 1) / (documentFrequency + 0.5));
      const gain = Math.max(information, Number.EPSILON);
      highest += gain;
      for (const frame of touched) {
        const { scores, occurrences, lengthClasses } = frame;
        for (const offset of frame.touched) {
          const normalizer = normalizers[lengthClasses[offset] ?? 0] ?? 0;
          const normalized = (occurrences[offset] ?? 0) * normalizer;
          scores[offset] =
            (scores[offset] ?? 0) + (gain * normalized) / (normalized + HALF_SATURATION);
          occurrences[offset] = 0;
        }
        frame.touched = [];
      }
    },
    require(blocks) {
      for (const block of blocks) {
        const { conditions } = frameOf(block.number, block.block);
        eachEntry(block, (offset) => meetCondition(conditions, offset));
      }
      required += 1;
    },
    requireNotes(notes) {
      for (const { number, noteNumber } of notes) {
        const { conditions } = frameOf(number, Math.floor(noteNumber / NOTES_PER_BLOCK));
        meetCondition(conditions, noteNumber % NOTES_PER_BLOCK);
      }
      required += 1;
    },
    exclude(blocks) {
      for (const block of blocks) {
        const { isExcluded } = frameOf(block.number, block.block);
        eachEntry(block, (offset) => {
          isExcluded[offset] = 1;
        });
      }
    },
    best(limit, isFilter) {
      const matches: Match[] = [];
      let total = 0;
      let last: Match | undefined;
      for (const { number, block, scores, conditions, isExcluded } of frames.values()) {
        for (let offset = 0; offset < NOTES_PER_BLOCK; offset += 1) {
          const score = scores[offset] ?? 0;
          const isMatch = isFilter || score > 0;
          if (!isMatch || conditions[offset] !== required || isExcluded[offset] === 1) continue;
          total += 1;
          const match = { number, noteNumber: block * NOTES_PER_BLOCK + offset, score };
          if (last !== undefined && compare(match, last) > 0) continue;
          matches.push(match);
          if (matches.length < 2 * limit) continue;
          matches.sort(compare).length = limit;
          last = matches.at(-1);
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
