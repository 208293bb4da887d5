import type { Subscription } from '@atrium/client';

/** What people call a webhook: its description, otherwise where it leads. */
export function webhookName({
  description,
  url,
}: Pick<Subscription, 'description' | 'url'>): string {
  return description === '' ? shortUrl(url) : description;
}

/** An address without its scheme. */
export function shortUrl(url: string): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '');
}
