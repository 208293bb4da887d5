import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { tryStorage } from '../platform/try-storage.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useUser } from '../session/user.ts';

/** So that what is kept does not grow for years: the oldest are closed. */
const OPENED_MAX = 500;

/** Which rows of the tree are open. This device keeps, for each account, those that the person has opened. */
export function useOpened() {
  const { id: accountId } = useUser();
  const queryClient = useQueryClient();
  const { data: opened } = useQuery({
    queryKey: queryKeys.openRows(accountId),
    queryFn: () => read(accountId),
    initialData: () => read(accountId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  /** Until the page is loaded anew: kept for weeks, the rows above every note would be loaded each time. */
  const openForNow = useCallback(
    (ids: readonly string[]) => {
      queryClient.setQueryData<ReadonlySet<string>>(
        queryKeys.openRows(accountId),
        (before = new Set()) => new Set([...before, ...ids]),
      );
    },
    [queryClient, accountId],
  );
  const setOpen = (id: string, isOpen: boolean) => {
    const kept = [...changed(read(accountId), id, isOpen)].slice(-OPENED_MAX);
    tryStorage(() => localStorage.setItem(keyOf(accountId), JSON.stringify(kept)));
    queryClient.setQueryData<ReadonlySet<string>>(
      queryKeys.openRows(accountId),
      (before = new Set()) => changed(before, id, isOpen),
    );
  };
  return { opened, openForNow, setOpen };
}

function changed(ids: ReadonlySet<string>, id: string, isOpen: boolean): ReadonlySet<string> {
  const others = [...ids].filter((other) => other !== id);
  return new Set(isOpen ? [...others, id] : others);
}

const keyOf = (accountId: string) => `atrium-tree:${accountId}`;

function read(accountId: string): ReadonlySet<string> {
  const kept: unknown = tryStorage(() =>
    JSON.parse(localStorage.getItem(keyOf(accountId)) ?? '[]'),
  );
  return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []);
}
