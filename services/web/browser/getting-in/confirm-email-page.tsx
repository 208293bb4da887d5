import { atrium } from '../session/atrium.ts';
import { useEmailLinkTexts } from '../texts/lazy-texts.ts';
import { OwnerTokenPage } from './owner-token-page.tsx';

/** Where the email to a new address leads. */
export function ConfirmEmailPage() {
  const { confirm } = useEmailLinkTexts();
  return (
    <OwnerTokenPage
      texts={confirm}
      act={(token, proof) => atrium.auth.confirmEmailChange(token, proof)}
    />
  );
}
