import type { Subscription } from '@atrium/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { LIVE } from '../ui/live.ts';
import { useList } from '../ui/lists/use-list.ts';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';

/** More than any plan allows. */
const PAGE_SIZE = 100;

/** All webhooks of the account, newest first. */
export function useWebhooks() {
  return useList(queryKeys.webhooks.list, (query, options) =>
    atrium.webhooks.listWebhooks({ ...query, limit: PAGE_SIZE }, options),
  );
}

/** @param options `LIVE` where its state is shown */
export function useWebhook(id: string, options: Partial<typeof LIVE> = {}) {
  return useQuery({
    queryKey: queryKeys.webhooks.one(id),
    queryFn: ({ signal }) => atrium.webhooks.getWebhook(id, { signal }),
    ...options,
  });
}

/** Takes over what a change has answered, and loads the list again. */
export function useWebhookChanged(): (webhook?: Subscription) => void {
  const queryClient = useQueryClient();
  return (webhook) => {
    if (webhook !== undefined) {
      queryClient.setQueryData(queryKeys.webhooks.one(webhook.id), webhook);
    }
    void queryClient.invalidateQueries({ queryKey: queryKeys.webhooks.all });
  };
}
