/** Options of queries that are read again while the page is in view. */
export const LIVE = { refetchInterval: 5_000, staleTime: 0 } as const;
