/** What was read is shown for this long without reading it again. */
export const STALE_MS = 30_000;

/** Options of queries that are read again while the page is in view. */
export const LIVE = { refetchInterval: 5_000, staleTime: 0 } as const;
