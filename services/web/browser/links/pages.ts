import type { SignedInPage } from '../ui/page/page.ts';

export const linkPages: readonly SignedInPage[] = [
  {
    path: '/links',
    title: (text) => text.sections.links,
    load: async () => (await import('./links-page.tsx')).LinksPage,
  },
  {
    path: '/links/$id',
    title: (text) => text.links.one,
    load: async () => (await import('./link-page.tsx')).LinkPage,
  },
];
