import { readProfile } from '../../search-index/entries.ts';
import { yieldTurn } from '../../yield-turn.ts';

const NEIGHBOURS = 5;
const OWN_SHARE = 0.5;
const HALF_SATURATION = 2;

/**
 * Notes that resemble each other are relevant together: half of a note's new score is the mean of its
 * five nearest among the candidates, weighted by the cosine of their words. How rare a word is counts
 * as among the candidates alone.
 */
export async function smooth(
  scores: readonly number[],
  profiles: readonly Buffer[],
): Promise<number[]> {
  const size = scores.length;
  const words = wordsIn(profiles);
  await yieldTurn();
  const cosines = cosinesOf(words.values(), size);
  await yieldTurn();
  return scores.map((score, index) => {
    const nearest = nearestIn(cosines.subarray(index * size, (index + 1) * size));
    let weight = 0;
    let sum = 0;
    for (const other of nearest) {
      const cosine = cosines[index * size + other] ?? 0;
      weight += cosine;
      sum += cosine * (scores[other] ?? 0);
    }
    return weight === 0 ? score : OWN_SHARE * score + (1 - OWN_SHARE) * (sum / weight);
  });
}

/** The indexes of the highest values, without sorting all of them. */
function nearestIn(row: Float64Array): number[] {
  const nearest: number[] = [];
  let lowest = 0;
  for (const [index, value] of row.entries()) {
    if (value <= lowest) continue;
    const at = nearest.findIndex((other) => value > (row[other] ?? 0));
    nearest.splice(at < 0 ? nearest.length : at, 0, index);
    if (nearest.length > NEIGHBOURS) nearest.pop();
    if (nearest.length === NEIGHBOURS) lowest = row[nearest.at(-1) ?? 0] ?? 0;
  }
  return nearest;
}

/** The cosine of each pair, row by row; 0 of a note with itself. */
function cosinesOf(words: Iterable<ProfileWord>, size: number): Float64Array {
  const cosines = new Float64Array(size * size);
  const squares = new Float64Array(size);
  for (const { notes, values } of words) {
    // A word that most candidates have distinguishes little between them and costs the most.
    if (notes.length > size / 2) continue;
    const rarity = Math.log2((size + 1) / (notes.length + 0.5)) ** 2;
    for (let first = 0; first < notes.length; first += 1) {
      const value = rarity * (values[first] ?? 0);
      const row = (notes[first] ?? 0) * size;
      add(squares, notes[first] ?? 0, value * (values[first] ?? 0));
      for (let second = 0; second < first; second += 1) {
        add(cosines, row + (notes[second] ?? 0), value * (values[second] ?? 0));
      }
    }
  }
  for (let first = 0; first < size; first += 1) {
    for (let second = 0; second < first; second += 1) {
      const norm = Math.sqrt((squares[first] ?? 0) * (squares[second] ?? 0));
      const cosine = norm === 0 ? 0 : (cosines[first * size + second] ?? 0) / norm;
      cosines[first * size + second] = cosine;
      cosines[second * size + first] = cosine;
    }
  }
  return cosines;
}

/** In which of the profiles a word is and how much it counts there. */
interface ProfileWord {
  notes: number[];
  values: number[];
}

function wordsIn(profiles: readonly Buffer[]): Map<number, ProfileWord> {
  const words = new Map<number, ProfileWord>();
  for (const [note, profile] of profiles.entries()) {
    for (const [hash, weight] of readProfile(profile)) {
      let word = words.get(hash);
      if (word === undefined) words.set(hash, (word = { notes: [], values: [] }));
      word.notes.push(note);
      word.values.push(weight / (weight + HALF_SATURATION));
    }
  }
  return words;
}

function add(array: Float64Array, at: number, value: number): void {
  array[at] = (array[at] ?? 0) + value;
}
