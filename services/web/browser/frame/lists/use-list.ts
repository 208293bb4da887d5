import type { Page } from '@atrium/client';
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';

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
export function firstPage<Item>(
  list: InfiniteData<Page<Item>> | undefined,
): InfiniteData<Page<Item>> | undefined {
  return list && { pages: list.pages.slice(0, 1), pageParams: list.pageParams.slice(0, 1) };
}
