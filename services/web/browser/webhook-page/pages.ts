import type { SignedInPage } from '../ui/page/page.ts';

/** The page of one webhook, which shows its deliveries, too. */
export const webhookPage: SignedInPage = {
  path: '/webhooks/$id',
  title: (text) => text.webhooks.webhook,
  load: async () => (await import('./webhook-page.tsx')).WebhookPage,
};
