import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { TokenPage } from './token-page.tsx';

/** Where the email to a new address leads. */
export function ConfirmEmailPage() {
  const { confirm } = useText().emailLinks;
  return <TokenPage texts={confirm} act={(token) => atrium.auth.confirmEmailChange(token)} />;
}
