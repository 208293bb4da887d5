import { useNavigate } from '@tanstack/react-router';
import type { PaletteEntry } from '../ui/palette-entry.ts';
import { useWebhooks } from './use-webhooks.ts';
import { readableUrl } from '../ui/urls.ts';
import { webhookName } from './webhook-name.ts';

const FOUND_MAX = 5;

/** Webhooks whose description or URL has what is typed. */
export function useWebhookEntries(typed: string): PaletteEntry[] {
  const navigate = useNavigate();
  const { data: webhooks = [] } = useWebhooks();
  const query = typed.trim().toLowerCase();
  if (query === '') return [];
  return webhooks
    .filter(({ url, description }) => `${description} ${url}`.toLowerCase().includes(query))
    .slice(0, FOUND_MAX)
    .map((webhook) => ({
      key: webhook.id,
      label: webhookName(webhook),
      detail: webhook.description === '' ? '' : readableUrl(webhook.url),
      run: () => navigate({ to: '/webhooks/$id', params: { id: webhook.id } }),
    }));
}
