import type { Page } from '../frame/page.ts';

export const deviceLoginPages: readonly Page[] = [
  {
    path: '/device',
    title: (text) => text.deviceLogin.title,
    load: async () => (await import('./device-login-page.tsx')).DeviceLoginPage,
  },
];
