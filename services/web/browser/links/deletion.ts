import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Link } from '@atrium/client';
import { askBeforeLeaving } from '../ui/dialogs/leaving.ts';
import { errorText } from '../ui/error-text.ts';
import { useToast } from '../ui/toasts/toasts.tsx';
import { editRow } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';

/** The toast that offers to undo it goes at the same time. */
const DELAY_MS = 12_000;

const listeners = new Set<() => void>();
/** What ends the wait for each. */
let pending: ReadonlyMap<string, () => void> = new Map();

function setPending(change: (next: Map<string, () => void>) => void): void {
  const next = new Map(pending);
  change(next);
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The ids of links that are no longer shown and are about to be deleted. */
export function usePendingDeletions(): Pick<ReadonlySet<string>, 'has'> {
  return useSyncExternalStore(subscribe, () => pending);
}

/** Takes a deletion back that has not been sent. */
export function cancelDeletion(id: string): void {
  pending.get(id)?.();
  setPending((next) => next.delete(id));
}

/**
 * Hides a link and deletes it a little later, because the service keeps no clicks of a deleted link that
 * could be brought back: at once when the page is left or the person logs out. A session that was revoked
 * deletes nothing.
 */
export function useDeleteLink(): (link: Link) => void {
  const text = useAllText();
  const toast = useToast();
  const queryClient = useQueryClient();
  const send = async ({ id, slug }: Link) => {
    try {
      // It may end after the page.
      await atrium.links.deleteLink(id, {
        fetch: (url, init) => fetch(url, { ...init, keepalive: true }),
      });
      editRow<Link>(queryClient, { queryKey: queryKeys.links.lists }, id, () => undefined);
      await queryClient.invalidateQueries({
        queryKey: queryKeys.links.all,
        predicate: ({ queryKey }) => queryKey[1] !== queryKeys.links.lists[1],
      });
    } catch (error) {
      toast(text.links.notDeleted(slug, errorText(error, text)), { kind: 'error' });
    } finally {
      setPending((next) => next.delete(id));
    }
  };
  return (link) => {
    const { id, slug } = link;
    const stop = () => {
      clearTimeout(timer);
      window.removeEventListener('pagehide', sendNow);
      forget();
      dismiss();
    };
    const finish = async () => {
      stop();
      await send(link);
      return true;
    };
    const sendNow = () => void finish();
    const timer = setTimeout(sendNow, DELAY_MS);
    window.addEventListener('pagehide', sendNow);
    const forget = askBeforeLeaving(finish);
    setPending((next) => next.set(id, stop));
    const dismiss = toast(text.links.deleting(slug), { undo: () => cancelDeletion(id) });
  };
}
