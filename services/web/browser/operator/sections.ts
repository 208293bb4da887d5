import type { Tab } from '../frame/tabs.tsx';

/** The pages of operators, in the order of their tabs. */
export const OPERATOR_SECTIONS: readonly Tab[] = [
  { to: '/operator', label: (text) => text.operator.overview.tab },
  { to: '/operator/accounts', label: (text) => text.operator.accounts.title },
];
