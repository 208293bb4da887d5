import type { AllTexts } from '../texts/signed-in-texts.tsx';

/** The pages of operators, in the order of their tabs. */
export const OPERATOR_SECTIONS: readonly { to: string; label: (text: AllTexts) => string }[] = [
  { to: '/operator', label: (text) => text.operator.overview.tab },
  { to: '/operator/accounts', label: (text) => text.operator.accounts.title },
];
