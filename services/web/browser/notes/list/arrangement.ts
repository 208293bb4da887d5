import type { NoteListQuery, NoteSummary } from '@atrium/client';

/** How the service is asked for each order. */
const ORDERS = {
  newest: { sort: 'created' },
  oldest: { sort: 'created', order: 'asc' },
  changed: { sort: 'updated' },
  unchanged: { sort: 'updated', order: 'asc' },
  title: { sort: 'title' },
  'title-desc': { sort: 'title', order: 'desc' },
} as const satisfies Record<string, NoteListQuery>;

export type Sort = keyof typeof ORDERS;
export const SORTS = Object.keys(ORDERS) as Sort[];
export const MATCHES = ['all', 'any', 'none'] as const;
/** As many as a note may have. */
export const TAGS_MAX = 20;

/** How the list of a workspace is shown, as its URL has it. */
export interface Arrangement {
  sort: Sort;
  tags: string[];
  match: (typeof MATCHES)[number];
  /** Only favourites. */
  favourites: boolean;
  /** Only notes that anyone can read. */
  shared: boolean;
}

/** Reads a URL and leaves out what makes no sense. */
export function arrangementOf(search: object): Arrangement {
  const { sort, tag, match, favourites, shared } = search as Record<string, unknown>;
  const tags = [tag].flat().filter((each) => ['string', 'number', 'boolean'].includes(typeof each));
  return {
    sort: SORTS.find((known) => known === sort) ?? 'changed',
    tags: [...new Set(tags.map(String))].slice(0, TAGS_MAX),
    match: MATCHES.find((known) => known === match) ?? 'all',
    favourites: favourites === true,
    shared: shared === true,
  };
}

/** What the URL says beside the defaults. */
export function toSearch({ sort, tags, match, favourites, shared }: Arrangement): object {
  return {
    ...(sort !== 'changed' && { sort }),
    ...(tags.length > 0 && { tag: tags.length === 1 ? tags[0] : tags }),
    ...(tags.length > 0 && match !== 'all' && { match }),
    ...(favourites && { favourites }),
    ...(shared && { shared }),
  };
}

export function toQuery({ sort, tags, match, favourites, shared }: Arrangement): NoteListQuery {
  return {
    ...ORDERS[sort],
    ...(tags.length > 0 && { tags, match }),
    ...(favourites && { favourite: true }),
    ...(shared && { shared }),
  };
}

export function isFiltered({ tags, favourites, shared }: Arrangement): boolean {
  return tags.length > 0 || favourites || shared;
}

/** As the service lists them, also when one has just been pinned or changed. */
export function arrange(notes: readonly NoteSummary[], { sort }: Arrangement): NoteSummary[] {
  const latest = (a: NoteSummary, b: NoteSummary) =>
    sort === 'changed' ? Date.parse(b.updatedAt) - Date.parse(a.updatedAt) : 0;
  return notes.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || latest(a, b));
}
