import type { Texts } from '../texts/en.ts';

interface NavigationEntry {
  to: string;
  label: (text: Texts) => string;
}

/** The entries of the sidebar, in their order. The palette finds them too. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/', label: (text) => text.frame.home },
  { to: '/webhooks', label: (text) => text.webhooks.title },
];
