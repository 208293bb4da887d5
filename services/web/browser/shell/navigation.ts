import { ACCOUNT_SECTIONS } from '../account/sections.ts';
import { useIsOperator } from '../session/operator-role.ts';
import type { AllTexts, SessionTexts } from '../texts/signed-in-texts.tsx';
import type { IconName } from '../ui/controls/icon.tsx';

interface Destination<Texts> {
  to: string;
  search?: Record<string, unknown>;
  label: (text: Texts) => string;
  forOperators?: boolean;
}

interface NavigationEntry extends Destination<SessionTexts> {
  icon: IconName;
  /** Where the pages below it are, when their URLs begin otherwise. */
  below?: readonly string[];
}

/** What the frame leads to, in this order. */
export const SECTIONS: readonly NavigationEntry[] = [
  { to: '/', icon: 'home', label: (text) => text.frame.home },
  {
    to: '/notes',
    icon: 'note',
    below: ['/workspaces/', '/trash'],
    label: (text) => text.notes.title,
  },
  { to: '/links', icon: 'link', label: (text) => text.sections.links },
  {
    to: '/webhooks',
    icon: 'webhook',
    below: ['/deliveries', '/events/'],
    label: (text) => text.sections.webhooks,
  },
];

/** Where `G` and one of these keys go. */
export const SECTION_OF_KEY: Record<string, string> = {
  h: '/',
  n: '/notes',
  l: '/links',
  w: '/webhooks',
};

/** The entries of the sidebar. */
export const NAVIGATION: readonly NavigationEntry[] = [
  ...SECTIONS,
  {
    to: '/operator',
    icon: 'shield',
    label: (text) => text.sections.operator,
    forOperators: true,
  },
];

/** What the palette finds. */
export const DESTINATIONS: readonly Destination<AllTexts>[] = [
  ...NAVIGATION,
  { to: '/account', label: (text) => text.frame.account },
  { to: '/links', search: { new: true }, label: (text) => text.links.new },
  { to: '/webhooks', search: { new: true }, label: (text) => text.webhooks.new },
  { to: '/deliveries', label: (text) => text.sections.deliveries },
  { to: '/trash', label: (text) => text.trash.title },
  { to: '/developers/applications', label: (text) => text.applications.own.title },
  { to: '/developers/event-types', label: (text) => text.eventTypes.title },
  { to: '/webhooks/verify', label: (text) => text.verification.title },
  ...ACCOUNT_SECTIONS,
  {
    to: '/operator/accounts',
    label: (text) => text.operator.accounts.search,
    forOperators: true,
  },
];

/** The entries that this person may see. */
export function useAllowed<Entry extends { forOperators?: boolean }>(
  entries: readonly Entry[],
): readonly Entry[] {
  const isOperator = useIsOperator();
  return entries.filter(({ forOperators = false }) => isOperator || !forOperators);
}
