import type { Page } from '../frame/page.ts';

export const webhookPages: readonly Page[] = [
  {
    path: '/webhooks',
    title: (text) => text.webhooks.title,
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
  },
];
