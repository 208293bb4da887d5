import type { SignedInPage } from '../ui/page/page.ts';

/** Where an application sends people who log in to it. */
export const authorizePage: SignedInPage = {
  path: '/authorize/$id',
  load: async () => (await import('./authorize-page.tsx')).AuthorizePage,
};
