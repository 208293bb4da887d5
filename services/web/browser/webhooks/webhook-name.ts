import type { Subscription } from '@atrium/client';
import { readableUrl } from '../ui/urls.ts';

/** What people call a webhook: its description, otherwise where it leads. */
export function webhookName({
  description,
  url,
}: Pick<Subscription, 'description' | 'url'>): string {
  return description === '' ? readableUrl(url) : description;
}
