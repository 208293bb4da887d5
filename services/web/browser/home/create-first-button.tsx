import { useUser } from '../session/user.ts';
import { ButtonLink } from '../ui/controls/links.tsx';

/** To the form for a first one, which is made with a verified address only. */
export function CreateFirstButton({ to, children }: { to: string; children: string }) {
  const { emailVerified } = useUser();
  return (
    emailVerified && (
      <ButtonLink to={to} search={{ new: true }} size="xs">
        {children}
      </ButtonLink>
    )
  );
}
