import type { Delivery, Page } from '@atrium/client';
import { followDeliveries } from '@atrium/client/deliveries';
import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { reload } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';
import { useUser } from '../session/user.ts';
import { type Filters, matches } from './filters.ts';
import { mergeDeliveries, placeDeliveries } from './merge-deliveries.ts';

/** Many changes at once are one change of the page. */
const FLUSH_MS = 250;
/** After a flood of changes the list is loaded again, but not all the time. */
const RELOAD_MS = 2_000;
/** Whoever has scrolled this far reads something that must not move. */
const READING_PX = 160;

export interface LiveDeliveries {
  status: 'connecting' | 'on' | 'off' | 'refused';
  /** New ones that wait until the person wants to see them. */
  held: readonly Delivery[];
  setPaused: (isPaused: boolean) => void;
  showHeld: () => void;
}

/** Keeps the list of a query up to date while it is shown, without moving what is being read or selected. */
export function useLiveDeliveries(
  filters: Filters,
  queryKey: QueryKey,
  hasSelected: boolean,
): LiveDeliveries {
  const queryClient = useQueryClient();
  const { emailVerified } = useUser();
  const [isPaused, setPaused] = useState(false);
  const [status, setStatus] = useState<LiveDeliveries['status']>('connecting');
  const [held, setHeld] = useState<readonly Delivery[]>([]);

  const merge = (changed: readonly Delivery[], isReading: boolean) => {
    const data = queryClient.getQueryData<InfiniteData<Page<Delivery>>>(queryKey);
    if (data === undefined) return;
    const isWanted = (delivery: Delivery) => matches(filters, delivery);
    const { pages, added } = mergeDeliveries(data.pages, [...held, ...changed], isWanted);
    const shown = isReading ? pages : placeDeliveries(pages, added);
    queryClient.setQueryData(queryKey, { ...data, pages: shown });
    setHeld(isReading ? added : []);
  };
  const onChanges = useEffectEvent((changed: readonly Delivery[]) =>
    merge(changed, window.scrollY > READING_PX),
  );
  /** @returns whether the list is loaded again: not while it still is, which takes long when it is long */
  const onMissed = useEffectEvent(() => {
    if (queryClient.isFetching({ queryKey }) > 0) return false;
    if (window.scrollY <= READING_PX && !hasSelected) void reload(queryClient, { queryKey });
    else void queryClient.invalidateQueries({ queryKey });
    return true;
  });

  const { webhook: webhookId, event } = filters;
  useEffect(() => {
    // Others are not told what happens; the page says why.
    if (isPaused || !emailVerified) return;
    const stop = new AbortController();
    const changes = new Map<string, Delivery>();
    let hasMissed = false;
    let reloadedMs = Number.NEGATIVE_INFINITY;
    const timer = setInterval(() => {
      if (changes.size > 0) onChanges([...changes.values()]);
      changes.clear();
      if (!hasMissed || performance.now() - reloadedMs < RELOAD_MS || !onMissed()) return;
      hasMissed = false;
      reloadedMs = performance.now();
    }, FLUSH_MS);
    const follow = async () => {
      for await (const change of followDeliveries(atrium, { webhookId, event }, stop)) {
        if (change.kind === 'delivery') changes.set(change.delivery.id, change.delivery);
        else {
          hasMissed ||= change.kind !== 'disconnected';
          setStatus(change.kind === 'disconnected' ? 'connecting' : 'on');
        }
      }
    };
    // Without a session, for example: the person says when to try again.
    follow().catch(() => {
      setStatus('refused');
      setPaused(true);
    });
    return () => {
      stop.abort();
      clearInterval(timer);
    };
  }, [isPaused, emailVerified, webhookId, event]);

  return {
    status: isPaused && status !== 'refused' ? 'off' : status,
    held: held.filter((delivery) => matches(filters, delivery)),
    setPaused: (isWanted) => {
      setStatus('connecting');
      setPaused(isWanted);
    },
    showHeld: () => {
      merge([], false);
      window.scrollTo({ top: 0 });
    },
  };
}
