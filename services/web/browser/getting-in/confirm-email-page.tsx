import { atrium } from '../session/atrium.ts';
import { useText } from '../texts/texts.tsx';
import { OwnerTokenPage } from './owner-token-page.tsx';

/** Where the email to a new address leads. */
export function ConfirmEmailPage() {
  const { confirm } = useText().emailLinks;
  return (
    <OwnerTokenPage
      texts={confirm}
      act={(token, proof) => atrium.auth.confirmEmailChange(token, proof)}
    />
  );
}
