import { ACCOUNT_SECTIONS } from '../account/sections.ts';
import { useIsOperator } from '../session/operator-role.ts';
import type { AllTexts, SessionTexts } from '../texts/signed-in-texts.tsx';

interface NavigationEntry<Texts> {
  to: string;
  search?: Record<string, unknown>;
  label: (text: Texts) => string;
  /** Where the pages below it are, when their addresses begin otherwise. */
  below?: readonly string[];
  forOperators?: boolean;
}

/** The entries of the sidebar, in their order. */
export const NAVIGATION: readonly NavigationEntry<SessionTexts>[] = [
  { to: '/', label: (text) => text.frame.home },
  { to: '/notes', below: ['/workspaces/', '/trash'], label: (text) => text.notes.title },
  { to: '/links', label: (text) => text.sections.links },
  { to: '/webhooks', label: (text) => text.sections.webhooks },
  { to: '/deliveries', below: ['/events/'], label: (text) => text.sections.deliveries },
  { to: '/account', label: (text) => text.frame.account },
  { to: '/operator', label: (text) => text.sections.operator, forOperators: true },
];

/** What the palette finds. */
export const DESTINATIONS: readonly NavigationEntry<AllTexts>[] = [
  ...NAVIGATION,
  { to: '/links', search: { new: true }, label: (text) => text.links.new },
  { to: '/webhooks', search: { new: true }, label: (text) => text.webhooks.new },
  { to: '/trash', label: (text) => text.trash.title },
  { to: '/webhooks/verify', label: (text) => text.verification.title },
  ...ACCOUNT_SECTIONS,
  {
    to: '/operator/accounts',
    label: (text) => text.operator.accounts.search,
    forOperators: true,
  },
];

/** Those entries that this person may see. */
export function useAllowed<Texts>(
  entries: readonly NavigationEntry<Texts>[],
): readonly NavigationEntry<Texts>[] {
  const isOperator = useIsOperator();
  return entries.filter(({ forOperators = false }) => isOperator || !forOperators);
}
