import type { DiffBlock } from '@atrium/contracts/notes/versions';
import { diffLines, diffWordsWithSpace } from 'diff';

/** Texts that differ in more lines are not compared line by line: the work grows with the square. */
const LINE_EDITS_MAX = 500;
const WORD_EDITS_MAX = 100;
/** Longer texts, without what they begin and end with alike, are not even split. */
const LINES_MAX = 50_000;
/** The time for a whole comparison, in which the process does nothing else; the rest is shown as changed. */
const TIME_MAX_MS = 250;
/** Longer lines are shown as changed without saying which words. */
const LINE_LENGTH_MAX = 2000;
/** A block takes 60 bytes besides its text and a part 30: together, a comparison takes 1 MB more than its texts. */
const BLOCKS_MAX = 10_000;
const WORD_PARTS_MAX = 10_000;

type Part = DiffBlock['parts'][number];

interface Budget {
  readonly endMs: number;
  blocks: number;
  wordParts: number;
}

const whole = (text: string, isChanged = false): Part[] => [{ text, isChanged }];

/**
 * What changes from one text to the other, by lines and by the words within changed lines. Both texts can be
 * put together again from it.
 */
export function compareTexts(from: string, to: string): DiffBlock[] {
  const budget = {
    endMs: Date.now() + TIME_MAX_MS,
    blocks: BLOCKS_MAX,
    wordParts: WORD_PARTS_MAX,
  };
  const start = commonStart(from, to);
  const end = commonEnd(from, to, start);
  return [
    ...block('same', from.slice(0, start)),
    ...compareMiddle(
      from.slice(start, from.length - end),
      to.slice(start, to.length - end),
      budget,
    ),
    ...block('same', from.slice(from.length - end)),
  ];
}

function block(kind: DiffBlock['kind'], text: string): DiffBlock[] {
  return text === '' ? [] : [{ kind, parts: whole(text) }];
}

/** How many characters, in whole lines, both texts begin with. */
function commonStart(from: string, to: string): number {
  const shortest = Math.min(from.length, to.length);
  let length = 0;
  while (length < shortest && from[length] === to[length]) length += 1;
  if (length === from.length && length === to.length) return length;
  while (length > 0 && from[length - 1] !== '\n') length -= 1;
  return length;
}

/** How many characters, in whole lines, both texts end with after `start`. */
function commonEnd(from: string, to: string, start: number): number {
  const longest = Math.min(from.length, to.length) - start;
  let length = 0;
  while (length < longest && from.at(-1 - length) === to.at(-1 - length)) length += 1;
  const isLineStart = (text: string) =>
    text.length - length === start || text.at(-1 - length) === '\n';
  while (length > 0 && !(isLineStart(from) && isLineStart(to))) length -= 1;
  return length;
}

/** Lines that are equal, and those that differ after them. */
interface Hunk {
  same: string;
  removed: string;
  added: string;
}

function compareMiddle(from: string, to: string, budget: Budget): DiffBlock[] {
  const hunks = hunksOf(from, to);
  if (hunks === undefined) return compareLines(from, to, budget);
  const blocks: DiffBlock[] = [];
  for (const { same, removed, added } of hunks.slice(0, -1)) {
    blocks.push(...block('same', same));
    for (const block of compareLines(removed, added, budget)) blocks.push(block);
  }
  const last = hunks.at(-1);
  return last === undefined ? blocks : blocks.concat(compareEnd(last, budget));
}

/** The last lines are given a break, as without one a line would be another as soon as one follows it. */
function hunksOf(from: string, to: string): Hunk[] | undefined {
  if (Math.max(countLines(from), countLines(to)) > LINES_MAX) return undefined;
  const limits = { maxEditLength: LINE_EDITS_MAX, timeout: TIME_MAX_MS };
  const changes = diffLines(`${from}\n`, `${to}\n`, limits);
  if (changes === undefined) return undefined;
  const hunks: Hunk[] = [];
  for (const { value, added, removed } of changes) {
    const kind = added ? 'added' : removed ? 'removed' : 'same';
    const before = kind === 'same' ? undefined : hunks.pop();
    hunks.push({ same: '', removed: '', added: '', ...before, [kind]: value });
  }
  return hunks;
}

/** Takes the break away again; what only one text has at its end begins with that of the equal line above. */
function compareEnd(hunk: Hunk, budget: Budget): DiffBlock[] {
  const [removed, added] = [hunk.removed.slice(0, -1), hunk.added.slice(0, -1)];
  const differing = compareLines(removed, added, budget);
  if (hunk.removed !== '' && hunk.added !== '') return [...block('same', hunk.same), ...differing];
  const same = block('same', hunk.same.slice(0, -1));
  if (hunk.removed === hunk.added) return same;
  const kind = hunk.removed === '' ? 'added' : 'removed';
  const [first, ...others] = differing;
  return [...same, { kind, parts: [...whole('\n'), ...(first?.parts ?? [])] }, ...others];
}

function countLines(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; count += 1) at = text.indexOf('\n', at) + 1 || text.length;
  return count;
}

/** The lines of a text, each with its line break. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Lines that stand at the same place of a removed and an added run are versions of one another. */
function compareLines(before: string, after: string, budget: Budget): DiffBlock[] {
  const count = countLines(before) + countLines(after);
  if (count > budget.blocks) {
    return [...block('removed', before), ...block('added', after)];
  }
  budget.blocks -= count;
  const [removed, added] = [linesOf(before), linesOf(after)];
  const pairs = removed.map((line, at) => compareWords(line, added[at], budget));
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
  budget: Budget,
): { from: Part[]; to?: Part[] } {
  if (to === undefined) return { from: whole(from) };
  const timeout = budget.endMs - Date.now();
  const isLong = Math.max(from.length, to.length) > LINE_LENGTH_MAX;
  const isSkipped = isLong || timeout <= 0 || budget.wordParts <= 0;
  const limits = { maxEditLength: WORD_EDITS_MAX, timeout };
  const changes = isSkipped ? undefined : diffWordsWithSpace(from, to, limits);
  if (changes === undefined) return { from: whole(from, true), to: whole(to, true) };
  budget.wordParts -= 2 * changes.length;
  const partsOf = (left: 'added' | 'removed') =>
    changes
      .filter((change) => !change[left])
      .map(({ value: text, added, removed }) => ({ text, isChanged: added || removed }));
  return { from: partsOf('added'), to: partsOf('removed') };
}
