import type { Page } from '@atrium/client';
import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  type QueryFilters,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { STALE_MS } from '../live.ts';

/** A longer list is not loaded again only because it is old. */
const STALE_PAGES_MAX = 5;

export interface ListState<Item> {
  data: Item[] | undefined;
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
  hasMore: boolean;
  loadMore: () => void;
  isLoadingMore: boolean;
}

/** A list of a service, page after page. */
export function useList<Item>(
  queryKey: readonly unknown[],
  load: (
    query: { cursor?: string | undefined },
    options: { signal: AbortSignal },
  ) => PromiseLike<Page<Item>>,
): ListState<Item> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: async ({ pageParam: cursor, signal }) => await load({ cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    staleTime: ({ state }) =>
      (state.data?.pages.length ?? 0) > STALE_PAGES_MAX ? Infinity : STALE_MS,
    // Another filter keeps the old list until the new one is there.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const { error, isFetching, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const pages = query.data?.pages;
  return {
    data: useMemo(() => pages?.flatMap(({ data }) => data), [pages]),
    error,
    isFetching,
    refetch,
    hasMore: hasNextPage,
    isLoadingMore: isFetchingNextPage,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
  };
}

/** For `setQueryData` before a list is loaded again, which takes a request for each page that it has. */
export function firstPage<Data>(data: Data): Data {
  if (!isList(data)) return data;
  return { ...data, pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Loads queries again; lists begin anew with their first page. */
export function reload(queryClient: QueryClient, filters: QueryFilters): Promise<void> {
  queryClient.setQueriesData({ ...filters }, firstPage);
  return queryClient.invalidateQueries(filters);
}

/** Edits the rows of lists where they are loaded, without a request. */
export function editRows<Row>(
  queryClient: QueryClient,
  filters: QueryFilters,
  edit: (rows: Row[]) => Row[],
): void {
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    const { data } = query.state;
    if (!isList<Row>(data)) continue;
    const pages = data.pages.map((page) => ({ ...page, data: edit(page.data) }));
    // Unlike `setQueryData` it leaves a list that is out of date so.
    query.setState({ data: { ...data, pages } });
  }
}

function isList<Row>(data: unknown): data is InfiniteData<Page<Row>> {
  return typeof data === 'object' && data !== null && 'pages' in data;
}
