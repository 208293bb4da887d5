import { ACCOUNT_SECTIONS } from '../account/sections.ts';
import type { Texts } from '../texts/en.ts';

interface NavigationEntry {
  to: string;
  label: (text: Texts) => string;
}

/** The entries of the sidebar, in their order. */
export const NAVIGATION: readonly NavigationEntry[] = [
  { to: '/', label: (text) => text.frame.home },
  { to: '/webhooks', label: (text) => text.webhooks.title },
  { to: '/account', label: (text) => text.frame.account },
];

/** What the palette finds. */
export const DESTINATIONS: readonly NavigationEntry[] = [...NAVIGATION, ...ACCOUNT_SECTIONS];
