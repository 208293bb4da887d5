import type { SignedInPage } from '../ui/page/page.ts';

export const deviceLoginPages: readonly SignedInPage[] = [
  {
    path: '/device',
    title: (text) => text.deviceLogin.title,
    load: async () => (await import('./device-login-page.tsx')).DeviceLoginPage,
  },
];
