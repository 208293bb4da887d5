import { ButtonLink } from '../../ui/controls/links.tsx';
import { atrium } from '../../session/atrium.ts';
import { useEmailLinkTexts } from '../../texts/lazy-texts.ts';
import { TokenPage } from './token-page.tsx';

/** Where "This was not me" in a security notice leads. */
export function NotMePage() {
  const { notMe } = useEmailLinkTexts();
  const toReset = <ButtonLink to="/forgot-password">{notMe.reset}</ButtonLink>;
  return (
    <TokenPage
      texts={notMe}
      act={(token) => atrium.auth.revokeSuspiciousAccess(token)}
      expiredAction={toReset}
    />
  );
}
