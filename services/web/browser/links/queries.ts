/** Clicks show while a page is in view. */
export const REFETCH_INTERVAL_MS = 5_000;

/** The queries of these pages: all that begin with `LINKS_KEY` show links. */
export const LINKS_KEY = ['links'] as const;
export const LIST_KEY = [...LINKS_KEY, 'list'] as const;
export const linkKey = (id: string) => [...LINKS_KEY, id] as const;
