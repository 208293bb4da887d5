import type { SignedInPage } from '../ui/page/page.ts';

export const webhookPages: readonly SignedInPage[] = [
  {
    path: '/webhooks',
    title: (text) => text.sections.webhooks,
    load: async () => (await import('./webhooks-page.tsx')).WebhooksPage,
  },
  {
    path: '/webhooks/verify',
    title: (text) => text.verification.title,
    load: async () => (await import('./verification/verification-page.tsx')).VerificationPage,
  },
];
