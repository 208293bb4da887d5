import { diffIndices } from 'node-diff3';

/** A text in parts; those that the other text does not have are changed. */
export type Words = { text: string; isChanged: boolean }[];

/** Words of both texts, between what they begin and end with: comparing more would make the page wait. */
const COMPARED_MAX = 800;

/** What differs between two versions of some lines, word by word. */
export function compareWords(mine: string, theirs: string): { mine: Words; theirs: Words } {
  const [a, b] = [split(mine), split(theirs)];
  const most = Math.min(a.length, b.length);
  let start = 0;
  while (start < most && a[start] === b[start]) start += 1;
  let same = 0;
  while (same < most - start && a.at(-1 - same) === b.at(-1 - same)) same += 1;
  const [middleA, middleB] = [a.slice(start, a.length - same), b.slice(start, b.length - same)];
  const isLong = middleA.length + middleB.length > COMPARED_MAX;
  const whole = { buffer1: [0, middleA.length], buffer2: [0, middleB.length] };
  const changes = isLong ? [whole] : diffIndices(middleA, middleB);
  return {
    mine: mark(
      a,
      start,
      changes.map(({ buffer1 }) => buffer1),
    ),
    theirs: mark(
      b,
      start,
      changes.map(({ buffer2 }) => buffer2),
    ),
  };
}

/** Words with the space before them: spaces of their own would all be alike. */
const split = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

function mark(words: string[], offset: number, changed: number[][]): Words {
  const parts: Words = [];
  const add = (to: number, isChanged: boolean) => {
    const text = words.slice(end, to).join('');
    if (text !== '') parts.push({ text, isChanged });
    end = to;
  };
  let end = 0;
  for (const [from = 0, length = 0] of changed) {
    add(offset + from, false);
    add(offset + from + length, true);
  }
  add(words.length, false);
  return parts;
}
