import type { SignedInPage } from '../ui/page/page.ts';

export const eventPages: readonly SignedInPage[] = [
  {
    path: '/events/$id',
    title: (text) => text.events.title,
    load: async () => (await import('./event-page.tsx')).EventPage,
  },
];
