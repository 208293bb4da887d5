import type { SignedInPage } from '../ui/page/page.ts';

export const developerPages: readonly SignedInPage[] = [
  {
    path: '/developers/applications',
    title: (text) => text.applications.own.title,
    load: async () => (await import('./own-applications-page.tsx')).OwnApplicationsPage,
  },
  {
    path: '/developers/event-types',
    title: (text) => text.eventTypes.title,
    load: async () => (await import('./event-types-page.tsx')).EventTypesPage,
  },
  {
    path: '/developers/applications/$id',
    load: async () => (await import('./application-page.tsx')).ApplicationPage,
  },
];
