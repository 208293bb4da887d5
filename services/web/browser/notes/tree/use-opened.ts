import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { tryStorage } from '../../platform/try-storage.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser } from '../../session/user.ts';

/** So that what is kept does not grow for years: the oldest are closed. */
const OPENED_MAX = 500;

/** Which rows of the tree are open. This device keeps them for each account. */
export function useOpened() {
  const { id: accountId } = useUser();
  const queryClient = useQueryClient();
  const { data: opened } = useQuery({
    queryKey: queryKeys.openRows(accountId),
    queryFn: () => read(accountId),
    initialData: () => read(accountId),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const setOpen = useCallback(
    (ids: readonly string[], isOpen: boolean) => {
      const before = queryClient.getQueryData<ReadonlySet<string>>(queryKeys.openRows(accountId));
      const others = [...(before ?? [])].filter((each) => !ids.includes(each));
      const now = isOpen ? [...others, ...ids].slice(-OPENED_MAX) : others;
      tryStorage(() => localStorage.setItem(keyOf(accountId), JSON.stringify(now)));
      queryClient.setQueryData(queryKeys.openRows(accountId), new Set(now));
    },
    [queryClient, accountId],
  );
  return { opened, setOpen };
}

const keyOf = (accountId: string) => `atrium-tree:${accountId}`;

function read(accountId: string): ReadonlySet<string> {
  const kept: unknown = tryStorage(() =>
    JSON.parse(localStorage.getItem(keyOf(accountId)) ?? '[]'),
  );
  return new Set(Array.isArray(kept) ? kept.filter((id) => typeof id === 'string') : []);
}
