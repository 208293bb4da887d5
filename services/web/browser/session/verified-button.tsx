import { Button, Tooltip, type ButtonProps } from '@mantine/core';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useUser } from './user.ts';

/** Begins what needs a verified address. Until it is verified, the button is reached but only says so. */
export function VerifiedButton({
  onClick,
  isSubmit = false,
  ...props
}: ButtonProps & { onClick?: () => void; isSubmit?: boolean }) {
  const { home } = useSignedInText();
  const { emailVerified } = useUser();
  if (emailVerified) {
    return <Button {...props} type={isSubmit ? 'submit' : 'button'} onClick={onClick} />;
  }
  return (
    <Tooltip label={home.verifyTitle} events={{ hover: true, focus: true, touch: true }}>
      <Button {...props} aria-disabled data-disabled />
    </Tooltip>
  );
}
