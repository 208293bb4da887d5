import type { Page } from '../ui/page/page.ts';

/** Everything that needs no session: the login page's links, and where the links in emails lead. */
export const signInPages: readonly Page[] = [
  {
    path: '/signup',
    title: (text) => text.signup.title,
    load: async () => (await import('./signup-page.tsx')).SignupPage,
  },
  {
    path: '/login',
    title: (text) => text.login.title,
    load: async () => (await import('./login-page.tsx')).LoginPage,
  },
  {
    path: '/login/provider',
    load: async () => (await import('./provider-page.tsx')).ProviderPage,
  },
  {
    path: '/forgot-password',
    title: (text) => text.forgot.title,
    load: async () => (await import('./forgot-password-page.tsx')).ForgotPasswordPage,
  },
  {
    path: '/reset-password',
    title: (text) => text.reset.title,
    load: async () => (await import('./email-links/reset-password-page.tsx')).ResetPasswordPage,
  },
  {
    path: '/verify-email',
    load: async () => (await import('./email-links/verify-email-page.tsx')).VerifyEmailPage,
  },
  {
    path: '/confirm-email',
    load: async () => (await import('./email-links/confirm-email-page.tsx')).ConfirmEmailPage,
  },
  {
    path: '/not-me',
    load: async () => (await import('./email-links/not-me-page.tsx')).NotMePage,
  },
  {
    path: '/export',
    load: async () => (await import('./email-links/export-page.tsx')).ExportPage,
  },
  {
    path: '/invitations',
    load: async () => (await import('./email-links/invitation-page.tsx')).InvitationPage,
  },
];
