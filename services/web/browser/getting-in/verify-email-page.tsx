import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { TokenPage } from './token-page.tsx';

/** Where the email of a registration leads. */
export function VerifyEmailPage() {
  const { verify } = useText().emailLinks;
  return <TokenPage texts={verify} act={(token) => atrium.auth.verifyEmail(token)} />;
}
