import type { WebhookHealth } from '@atrium/client';
import { useQuery } from '@tanstack/react-query';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { LIVE } from '../ui/live.ts';

/** How the endpoint of a webhook does at the moment; one query answers for all of them. */
export function useHealth(id: string): WebhookHealth | undefined {
  const { data } = useQuery({
    queryKey: queryKeys.webhooks.health,
    queryFn: async ({ signal }) => (await atrium.webhooks.getWebhooksHealth({ signal })).data,
    ...LIVE,
  });
  return data?.find((health) => health.id === id);
}
