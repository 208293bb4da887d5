import { Button, type ButtonProps } from '@mantine/core';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useHint } from '../ui/controls/use-hint.tsx';
import { useUser } from './user.ts';

/** Begins what needs a verified email address. Until it is verified, the button is reached but only says so. */
export function VerifiedButton({
  onClick,
  isSubmit = false,
  ...props
}: ButtonProps & { onClick?: () => void; isSubmit?: boolean }) {
  const { emailVerified } = useUser();
  const { verifyTitle } = useSignedInText().home;
  const { events, hint } = useHint(verifyTitle);
  if (emailVerified) {
    return <Button {...props} type={isSubmit ? 'submit' : 'button'} onClick={onClick} />;
  }
  return (
    <>
      <Button {...props} {...events} aria-description={verifyTitle} aria-disabled data-disabled />
      {hint}
    </>
  );
}
