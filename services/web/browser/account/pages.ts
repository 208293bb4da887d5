import type { Page, SignedInPage } from '../ui/page/page.ts';

export const accountPages: readonly SignedInPage[] = [
  {
    path: '/account',
    title: (text) => text.account.profile.title,
    load: async () => (await import('./profile/profile-page.tsx')).ProfilePage,
  },
  {
    path: '/account/security',
    title: (text) => text.account.security.title,
    load: async () => (await import('./security/security-page.tsx')).SecurityPage,
  },
  {
    path: '/account/sessions',
    title: (text) => text.account.sessions.title,
    load: async () => (await import('./sessions/sessions-page.tsx')).SessionsPage,
  },
  {
    path: '/account/applications',
    title: (text) => text.applications.granted.title,
    load: async () => (await import('./applications/granted-page.tsx')).GrantedPage,
  },
  {
    path: '/account/tokens',
    title: (text) => text.tokens.title,
    load: async () => (await import('./tokens/tokens-page.tsx')).TokensPage,
  },
  {
    path: '/account/activity',
    title: (text) => text.account.activity.title,
    load: async () => (await import('./activity/activity-page.tsx')).ActivityPage,
  },
  {
    path: '/account/plan',
    title: (text) => text.plan.title,
    load: async () => (await import('./plan/plan-page.tsx')).PlanPage,
  },
  {
    path: '/account/data',
    title: (text) => text.account.data.title,
    load: async () => (await import('./data/data-page.tsx')).DataPage,
  },
];

/** Where the deletion of an account ends, without a session. */
export const deletedAccountPages: readonly Page[] = [
  {
    path: '/account/deleted',
    title: (text) => text.deletedAccount.title,
    load: async () => (await import('./data/deleted-page.tsx')).DeletedPage,
  },
];
