import type { NoteSummary } from '@atrium/client';

export const SORTS = ['newest', 'changed', 'title'] as const;

type Sort = (typeof SORTS)[number];

/** How the list of a workspace is shown, as its address has it. */
export interface Arrangement {
  sort: Sort;
  tag: string | undefined;
}

/** Reads an address and leaves out what makes no sense. */
export function arrangementOf(search: object): Arrangement {
  const { sort, tag } = search as Record<string, unknown>;
  return {
    sort: SORTS.find((known) => known === sort) ?? 'newest',
    tag: typeof tag === 'string' && tag !== '' ? tag : undefined,
  };
}

/** Whether the notes that the service lists first are the first ones of the list. */
export function isListed({ sort, tag }: Arrangement): boolean {
  return sort === 'newest' && tag === undefined;
}

/** Notes with the tag in the order that was chosen, pinned ones first. */
export function arrange(
  notes: readonly NoteSummary[],
  { sort, tag }: Arrangement,
  locale: string,
): NoteSummary[] {
  const titles = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  const compare = {
    // Ids begin with the time at which they were made.
    newest: (a: NoteSummary, b: NoteSummary) => compareText(b.id, a.id),
    changed: (a: NoteSummary, b: NoteSummary) => compareText(b.updatedAt, a.updatedAt),
    title: (a: NoteSummary, b: NoteSummary) => titles.compare(a.title, b.title),
  }[sort];
  return notes
    .filter((note) => tag === undefined || note.tags.includes(tag))
    .toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || compare(a, b));
}

/** All tags of the notes, in the order of the alphabet. */
export function tagsOf(notes: readonly NoteSummary[], locale: string): string[] {
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return [...new Set(notes.flatMap(({ tags }) => tags))].toSorted(compare);
}

function compareText(a: string, b: string): number {
  return Number(a > b) - Number(a < b);
}
