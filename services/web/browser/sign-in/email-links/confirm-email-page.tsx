import { TextLink } from '../../ui/controls/links.tsx';
import { atrium } from '../../session/atrium.ts';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { useText } from '../../texts/texts.tsx';
import { OwnerTokenPage } from './owner-token-page.tsx';

/** Where the email that confirms a new email address leads. */
export function ConfirmEmailPage() {
  const { confirm } = useEmailLinkTexts();
  const { login } = useText();
  return (
    <OwnerTokenPage
      texts={confirm}
      act={(token, proof) => atrium.auth.confirmEmailChange(token, proof)}
      alternative={() => (
        <TextLink to="/forgot-password" size="sm">
          {login.forgot}
        </TextLink>
      )}
    />
  );
}
