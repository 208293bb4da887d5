import { diff3Merge } from 'node-diff3';
import type { NoteText } from './note-text.ts';

/** Lines that both sides agree on, or what each of them has made of the same lines. */
export type Part =
  | { kind: 'agreed'; lines: string[] }
  | { kind: 'conflict'; mine: string[]; theirs: string[] };

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
    title: mergeLines([base.title], [mine.title], [theirs.title]),
    content: mergeLines(toLines(base.content), toLines(mine.content), toLines(theirs.content)),
    tags: mergeTags(base.tags, mine.tags, theirs.tags),
    pinned: mine.pinned === base.pinned ? theirs.pinned : mine.pinned,
  };
}

/** Blank lines go with the line below them: on their own all are alike, and a long note takes minutes. */
const toLines = (text: string): string[] => text.split(/(?<=[^\n])\n/);

function mergeLines(base: string[], mine: string[], theirs: string[]): Part[] {
  return diff3Merge(mine, base, theirs, { excludeFalseConflicts: true }).flatMap<Part>(
    ({ ok, conflict }) => {
      if (conflict !== undefined) {
        return { kind: 'conflict', mine: conflict.a, theirs: conflict.b };
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
export function resolveMerge(merge: Merge, choices: readonly Choice[]): NoteText {
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
function chosenLines({ mine, theirs }: Conflict, choice: Choice = 'both'): string[] {
  return { mine, theirs, both: [...mine, ...theirs] }[choice];
}
