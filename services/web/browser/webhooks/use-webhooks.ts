import type { Subscription } from '@atrium/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LIVE } from '../ui/live.ts';
import { useList } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';

export const WEBHOOKS_KEY = ['webhooks'];
export const STATISTICS_KEY = ['webhook-statistics'];
/** More than any plan allows. */
const PAGE_SIZE = 100;

/** All webhooks of the account, newest first. */
export function useWebhooks() {
  return useList([...WEBHOOKS_KEY, 'list'], (query, options) =>
    atrium.webhooks.listWebhooks({ ...query, limit: PAGE_SIZE }, options),
  );
}

/** @param options `LIVE` where its state is shown */
export function useWebhook(id: string, options: Partial<typeof LIVE> = {}) {
  return useQuery({
    queryKey: [...WEBHOOKS_KEY, 'one', id],
    queryFn: ({ signal }) => atrium.webhooks.getWebhook(id, { signal }),
    ...options,
  });
}

/** Takes over what a change has answered, and loads the list again. */
export function useWebhookChanged(): (webhook?: Subscription) => void {
  const queryClient = useQueryClient();
  return (webhook) => {
    if (webhook !== undefined) {
      queryClient.setQueryData([...WEBHOOKS_KEY, 'one', webhook.id], webhook);
    }
    void queryClient.invalidateQueries({ queryKey: WEBHOOKS_KEY });
  };
}
