import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import { useSignedInText } from '../texts/signed-in-texts.tsx';

/** A button that is reached but only says what it waits for. */
export function UnverifiedButton(props: ButtonProps) {
  const { home } = useSignedInText();
  return (
    <Tooltip label={home.verifyTitle} events={{ hover: true, focus: true, touch: true }}>
      <Button {...props} aria-disabled data-disabled />
    </Tooltip>
  );
}
