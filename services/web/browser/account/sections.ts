import type { AllTexts } from '../texts/signed-in-texts.tsx';

/** The pages of an account, in the order of their tabs. */
export const ACCOUNT_SECTIONS: readonly { to: string; label: (text: AllTexts) => string }[] = [
  { to: '/account', label: (text) => text.account.profile.title },
  { to: '/account/security', label: (text) => text.account.security.title },
  { to: '/account/sessions', label: (text) => text.account.sessions.title },
  { to: '/account/applications', label: (text) => text.applications.granted.title },
  { to: '/account/tokens', label: (text) => text.tokens.title },
  { to: '/account/activity', label: (text) => text.account.activity.title },
  { to: '/account/plan', label: (text) => text.plan.title },
  { to: '/account/data', label: (text) => text.account.data.title },
];
