import { diff3Merge } from 'node-diff3';
import { type NoteText, withEditorLineEnds } from './note-text.ts';

/** Lines that both sides agree on, or what each of them has made of the same lines. */
export type Part =
  | { kind: 'agreed'; lines: string[] }
  | { kind: 'conflict'; base: string[]; mine: string[]; theirs: string[] };

export type Conflict = Extract<Part, { kind: 'conflict' }>;

export type Choice = 'mine' | 'theirs' | 'both';

export interface Merge {
  title: Part[];
  content: Part[];
  tags: string[];
  pinned: boolean;
}

/** Brings together two texts that began as the same one. */
export function mergeTexts(base: NoteText, mine: NoteText, theirs: NoteText): Merge {
  return {
    title: mergeNeighbours({
      kind: 'conflict',
      base: [base.title],
      mine: [mine.title],
      theirs: [theirs.title],
    }),
    content: mergeLines(
      toParagraphs(base.content),
      toParagraphs(mine.content),
      toParagraphs(theirs.content),
    ).flatMap(mergeNeighbours),
    tags: mergeTags(base.tags, mine.tags, theirs.tags),
    pinned: mine.pinned === base.pinned ? theirs.pinned : mine.pinned,
  };
}

/** Blank lines go with the line below them: on their own all are alike, and a long note takes minutes. */
const toParagraphs = (text: string): string[] => withEditorLineEnds(text).split(/(?<=[^\n])\n/);

/** More lines are left to the reader: comparing twice as many takes half a second. */
const NEIGHBOURS_MAX = 500;

/**
 * Changes to neighbouring paragraphs, or to different words of the same one, do not collide, and neither do added
 * lines. Otherwise the paragraphs stay whole, so that keeping both gives two.
 */
function mergeNeighbours(part: Part): Part[] {
  if (part.kind === 'agreed') return [part];
  if (isAdded(part)) return [both(part.mine, part.theirs)];
  const toLines = (paragraphs: string[]) =>
    paragraphs.length === 0 ? [] : paragraphs.join('\n').split('\n');
  const [base, mine, theirs] = [toLines(part.base), toLines(part.mine), toLines(part.theirs)];
  if (Math.max(base.length, mine.length, theirs.length) > NEIGHBOURS_MAX) return [part];
  const merged = mergeLines(base, mine, theirs).map((lines) =>
    lines.kind === 'conflict' && isAdded(lines) ? both(lines.mine, lines.theirs) : lines,
  );
  if (merged.every(({ kind }) => kind === 'agreed')) return merged;
  const words = mergeWords(base.join('\n'), mine.join('\n'), theirs.join('\n'));
  return [words === null ? part : { kind: 'agreed', lines: words.split('\n') }];
}

const both = (first: string[], second: string[]): Part => ({
  kind: 'agreed',
  lines: [...first, ...second],
});

/** Blank lines, and items that have only begun. */
const UNWRITTEN = /^(?:[\s>*+-]|\[ \]|\d+[.)])*$/;

/** Whether both have only added lines. Lines that begin alike may be the same ones, of a save whose answer was lost. */
function isAdded({ base, mine, theirs }: Conflict): boolean {
  const isWritten = (line: string) => !UNWRITTEN.test(line);
  if (base.some(isWritten)) return false;
  const [one, other] = [mine.find(isWritten), theirs.find(isWritten)];
  return (
    one === undefined || other === undefined || !(one.startsWith(other) || other.startsWith(one))
  );
}

/** Words, and between them space and signs, so that a word can change beside another one that does. */
const toWords = (text: string): string[] => text.match(/[\p{L}\p{M}\p{N}]+|\s+|[^]/gu) ?? [];

/** Words of one side, between what all begin and end with: comparing more would make the page wait. */
const WORDS_MAX = 1000;

/** @returns null when both have changed the same words, or when one of them has removed the whole text */
function mergeWords(base: string, mine: string, theirs: string): string | null {
  if (base === '' || mine === '' || theirs === '') return null;
  const sides = [toWords(mine), toWords(base), toWords(theirs)] as const;
  const [a, o, b] = sides;
  const most = Math.min(...sides.map(({ length }) => length));
  const isAlike = (at: number) => a.at(at) === o.at(at) && b.at(at) === o.at(at);
  let start = 0;
  while (start < most && isAlike(start)) start += 1;
  let end = 0;
  while (end < most - start && isAlike(-1 - end)) end += 1;
  const middle = (words: string[]) => words.slice(start, words.length - end);
  if (sides.some((words) => middle(words).length > WORDS_MAX)) return null;
  const merged = mergeLines(middle(o), middle(a), middle(b)).map(withLinesBeside);
  const agreed = merged.flatMap((part) => (part.kind === 'agreed' ? part.lines : []));
  const isMerged = merged.every(({ kind }) => kind === 'agreed');
  return isMerged ? [...o.slice(0, start), ...agreed, ...o.slice(o.length - end)].join('') : null;
}

/** What one of them adds to a line does not collide with the lines that the other one adds above or below it. */
function withLinesBeside(part: Part): Part {
  if (part.kind === 'agreed' || part.base.length > 0) return part;
  const { mine, theirs } = part;
  if (isApart(mine, theirs)) return both(mine, theirs);
  return isApart(theirs, mine) ? both(theirs, mine) : part;
}

const hasLineEnd = (word = '') => word.includes('\n');
const isApart = (first: string[], second: string[]) =>
  hasLineEnd(first.at(-1)) || hasLineEnd(second[0]);

function mergeLines(base: string[], mine: string[], theirs: string[]): Part[] {
  return diff3Merge(mine, base, theirs, { excludeFalseConflicts: true }).flatMap<Part>(
    ({ ok, conflict }) => {
      if (conflict !== undefined) {
        return { kind: 'conflict', base: conflict.o, mine: conflict.a, theirs: conflict.b };
      }
      return { kind: 'agreed', lines: ok ?? [] };
    },
  );
}

/** Theirs, with what was added and without what was removed here. */
function mergeTags(base: string[], mine: string[], theirs: string[]): string[] {
  const added = mine.filter((tag) => !base.includes(tag));
  const removed = base.filter((tag) => !mine.includes(tag));
  const kept = theirs.filter((tag) => !removed.includes(tag));
  return [...new Set([...kept, ...added])];
}

/** The lines that both have changed: first of the title, then of the content. */
export function conflictsOf({ title, content }: Merge): Conflict[] {
  return [...title, ...content].filter((part) => part.kind === 'conflict');
}

/** @param choices one for each conflict, in the order of `conflictsOf` */
export function resolveMerge(merge: Merge, choices: readonly (Choice | 'base')[]): NoteText {
  const remaining = choices.values();
  const join = (parts: Part[], separator: string) =>
    parts
      .flatMap((part) =>
        part.kind === 'agreed' ? part.lines : chosenLines(part, remaining.next().value),
      )
      .join(separator);
  return {
    title: join(merge.title, ' · '),
    content: join(merge.content, '\n'),
    tags: merge.tags,
    pinned: merge.pinned,
  };
}

/** Without a choice nothing is lost. */
function chosenLines({ base, mine, theirs }: Conflict, choice: Choice | 'base' = 'both'): string[] {
  return { base, mine, theirs, both: [...mine, ...theirs] }[choice];
}

/** The three texts, with the conflicts as the only differences between them. */
export function withoutTheRest(merge: Merge) {
  const conflicts = conflictsOf(merge);
  const take = (choice: Choice | 'base') =>
    resolveMerge(
      merge,
      conflicts.map(() => choice),
    );
  return { base: take('base'), mine: take('mine'), theirs: take('theirs') };
}
