import { differences, splitWords } from './differences.ts';

/** A text in parts; those that the other text does not have are changed. */
export type Words = { text: string; isChanged: boolean }[];

const COMPARED_MAX = 400;

/** What differs between two versions of some lines, word by word. */
export function compareWords(mine: string, theirs: string): { mine: Words; theirs: Words } {
  const [a, b] = [splitWords(mine), splitWords(theirs)];
  const changes = differences(a, b, COMPARED_MAX);
  return {
    mine: mark(
      a,
      changes.map(({ one }) => one),
    ),
    theirs: mark(
      b,
      changes.map(({ other }) => other),
    ),
  };
}

function mark(words: string[], changed: (readonly [start: number, end: number])[]): Words {
  const parts: Words = [];
  const add = (to: number, isChanged: boolean) => {
    const text = words.slice(end, to).join('');
    if (text !== '') parts.push({ text, isChanged });
    end = to;
  };
  let end = 0;
  for (const [from, to] of changed) {
    add(from, false);
    add(to, true);
  }
  add(words.length, false);
  return parts;
}
