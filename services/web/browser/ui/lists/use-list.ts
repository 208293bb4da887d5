import type { Page } from '@atrium/client';
import {
  type InfiniteData,
  keepPreviousData,
  type Query,
  type QueryClient,
  type QueryFilters,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { useMemo } from 'react';
import { STALE_MS } from '../live.ts';
import { rowsOf } from './rows-of.ts';

/** A list of many pages takes as many requests, so it may be older before it is loaded again. */
const LONG_LIST_PAGES = 6;
const LONG_LIST_STALE_MS = 300_000;

export interface ListState<Item> {
  data: Item[] | undefined;
  /** Of what shows; null when only more of it could not be loaded. */
  error: unknown;
  isFetching: boolean;
  refetch: () => unknown;
  hasMore: boolean;
  moreError: unknown;
  loadMore: () => void;
  isLoadingMore: boolean;
}

/**
 * A list of a service, page after page.
 *
 * @param meta.staysWhole keeps every page while the list is loaded again, for one that is always shown to its end
 */
export function useList<Item>(
  queryKey: readonly unknown[],
  load: (
    query: { cursor?: string | undefined },
    options: { signal: AbortSignal },
  ) => PromiseLike<Page<Item>>,
  meta: { staysWhole?: boolean } = {},
): ListState<Item> {
  const query = useInfiniteQuery({
    queryKey,
    meta,
    queryFn: async ({ pageParam: cursor, signal }) => await load({ cursor }, { signal }),
    initialPageParam: undefined as string | undefined,
    staleTime: ({ state }) =>
      (state.data?.pages.length ?? 0) < LONG_LIST_PAGES ? STALE_MS : LONG_LIST_STALE_MS,
    // Another filter keeps the old list until the new one is there.
    // What shows the lists of another workspace or webhook has a `key`, and so begins without.
    placeholderData: keepPreviousData,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });
  const pages = query.data?.pages;
  const rows = useMemo(() => (pages === undefined ? undefined : rowsOf(pages)), [pages]);
  return listState(query, rows);
}

/** @param data what shows of the pages that the query has loaded */
export function listState<Item>(
  query: UseInfiniteQueryResult,
  data: Item[] | undefined,
): ListState<Item> {
  const { error, isFetchNextPageError, isFetching, refetch, fetchNextPage } = query;
  return {
    data,
    error: isFetchNextPageError ? null : error,
    isFetching,
    refetch,
    hasMore: query.hasNextPage,
    moreError: isFetchNextPageError ? error : null,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void fetchNextPage({ cancelRefetch: false }),
  };
}

function firstPage<Data>(data: Data): Data {
  if (!isList(data)) return data;
  return { ...data, pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) };
}

/** Loads queries again; lists begin anew with their first page, because each page takes a request. */
export async function reload(queryClient: QueryClient, filters: QueryFilters): Promise<void> {
  const { predicate } = filters;
  const isCut = (query: Query) =>
    query.meta?.['staysWhole'] !== true && (predicate?.(query) ?? true);
  queryClient.setQueriesData({ ...filters, predicate: isCut }, firstPage);
  // A first load that is under way may have been answered before the change, and would not begin anew.
  await queryClient.cancelQueries({
    ...filters,
    predicate: (query) => query.state.data === undefined && (predicate?.(query) ?? true),
  });
  await queryClient.invalidateQueries(filters);
}

/**
 * Edits a row in the lists that have loaded it, without a request.
 *
 * @param edit returns the row as it is now, or nothing when it is gone
 */
export function editRow<Row extends { id: string }>(
  queryClient: QueryClient,
  filters: QueryFilters,
  id: string,
  edit: (row: Row) => Row | undefined,
): void {
  const show = (query: Query) => {
    const { data } = query.state;
    if (!isList<Row>(data)) return;
    const pages = data.pages.map((page) => ({
      ...page,
      data: page.data.flatMap((row) => (row.id === id ? (edit(row) ?? []) : [row])),
    }));
    // `setQueryData` would say that a list that is out of date is fresh.
    query.setState({ data: { ...data, pages } });
  };
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    show(query);
    if (query.state.fetchStatus === 'idle') continue;
    // What is being loaded may be from before the change.
    const again = () => show(query);
    query.promise?.then(again, again);
  }
}

function isList<Row>(data: unknown): data is InfiniteData<Page<Row>> {
  return typeof data === 'object' && data !== null && 'pages' in data;
}
