import { Button, type ButtonProps } from '@mantine/core';
import { Suspense } from 'react';
import { lazyPart } from '../ui/lazy-part.tsx';
import { useUser } from './user.ts';

/** Most addresses are verified, and a tooltip has 20 kB of script, compressed. */
const UnverifiedButton = lazyPart(
  async () => (await import('./unverified-button.tsx')).UnverifiedButton,
);

/** Begins what needs a verified address. Until it is verified, the button is reached but only says so. */
export function VerifiedButton({
  onClick,
  isSubmit = false,
  ...props
}: ButtonProps & { onClick?: () => void; isSubmit?: boolean }) {
  const { emailVerified } = useUser();
  if (emailVerified) {
    return <Button {...props} type={isSubmit ? 'submit' : 'button'} onClick={onClick} />;
  }
  return (
    <Suspense fallback={<Button {...props} aria-disabled data-disabled />}>
      <UnverifiedButton {...props} />
    </Suspense>
  );
}
