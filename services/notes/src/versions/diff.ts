import type { DiffBlock } from '@atrium/contracts/versions';
import { type Change, diffLines, diffWordsWithSpace } from 'diff';

/** Texts that differ in more lines are not compared line by line: the work grows with the square. */
const LINES_MAX = 500;
const WORDS_MAX = 100;
/** Of a whole comparison, during which the process does nothing else; the rest is shown as changed. */
const TIME_MAX_MS = 250;
/** Longer lines are shown as changed without saying which words. */
const LINE_LENGTH_MAX = 2000;

type Part = DiffBlock['parts'][number];

const whole = (text: string, isChanged = false): Part[] => [{ text, isChanged }];

/**
 * What changes from one text to the other, by lines and by the words within changed lines. Both texts can be
 * put together again from it.
 */
export function compareTexts(from: string, to: string): DiffBlock[] {
  const endMs = Date.now() + TIME_MAX_MS;
  const limits = { maxEditLength: LINES_MAX, timeout: TIME_MAX_MS };
  const changes = diffLines(from, to, limits) ?? middleOf(from, to);
  const blocks: DiffBlock[] = [];
  for (let at = 0; at < changes.length; at += 1) {
    const change = changes[at] as Change;
    const next = changes[at + 1];
    if (!change.added && !change.removed) {
      blocks.push({ kind: 'same', parts: whole(change.value) });
    } else if (change.removed && next?.added === true) {
      blocks.push(...compareLines(linesOf(change.value), linesOf(next.value), endMs));
      at += 1;
    } else {
      const kind = change.added ? 'added' : 'removed';
      blocks.push(...linesOf(change.value).map((line) => ({ kind, parts: whole(line) }) as const));
    }
  }
  return blocks;
}

/** The lines of a text, each with its line break. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines that stand at the same place of a removed and an added run are versions of one another. */
function compareLines(removed: string[], added: string[], endMs: number): DiffBlock[] {
  const pairs = removed.map((line, at) => compareWords(line, added[at], endMs));
  const rest = added.slice(removed.length).map((line) => whole(line));
  const addedParts = [...pairs.flatMap(({ to }) => (to === undefined ? [] : [to])), ...rest];
  return [
    ...pairs.map(({ from: parts }) => ({ kind: 'removed', parts }) as const),
    ...addedParts.map((parts) => ({ kind: 'added', parts }) as const),
  ];
}

function compareWords(
  from: string,
  to: string | undefined,
  endMs: number,
): { from: Part[]; to?: Part[] } {
  if (to === undefined) return { from: whole(from) };
  const isLong = Math.max(from.length, to.length) > LINE_LENGTH_MAX;
  const limits = { maxEditLength: WORDS_MAX, timeout: Math.max(endMs - Date.now(), 0) };
  const changes = isLong ? undefined : diffWordsWithSpace(from, to, limits);
  if (changes === undefined) return { from: whole(from, true), to: whole(to, true) };
  const partsOf = (left: 'added' | 'removed') =>
    changes
      .filter((change) => !change[left])
      .map(({ value: text, added, removed }) => ({ text, isChanged: added || removed }));
  return { from: partsOf('added'), to: partsOf('removed') };
}

/** What lies between the equal beginnings and the equal ends, as one change. */
function middleOf(from: string, to: string): Change[] {
  const [before, after] = [linesOf(from), linesOf(to)];
  const shortest = Math.min(before.length, after.length);
  let start = 0;
  while (start < shortest && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shortest - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const change = (lines: string[], kind: 'added' | 'removed' | 'same'): Change => ({
    value: lines.join(''),
    added: kind === 'added',
    removed: kind === 'removed',
    count: lines.length,
  });
  return [
    change(before.slice(0, start), 'same'),
    change(before.slice(start, before.length - end), 'removed'),
    change(after.slice(start, after.length - end), 'added'),
    change(before.slice(before.length - end), 'same'),
  ].filter(({ count }) => count > 0);
}
