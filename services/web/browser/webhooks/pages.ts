import type { SignedInPage } from '../frame/page.ts';

export const webhookPages: readonly SignedInPage[] = [
  {
    path: '/webhooks',
    title: (text) => text.webhooks.title,
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
  },
];
