import { Modal, Text, Title } from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { useText } from '../texts/texts.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { LoginSteps } from './login-steps.tsx';
import { OtherLogins } from './other-logins.tsx';

/** Asks for a login over a page, which stays as it is. Only the login closes it. */
export function LoginDialog({
  title,
  explanation,
  hasProviders = true,
  onBusy,
  onDone,
}: {
  title: string;
  explanation: string;
  /** Not where the page would lose what it is about on the way to a provider and back. */
  hasProviders?: boolean;
  /** Whether a session is about to begin, after which the dialog may still ask something. */
  onBusy: (isBusy: boolean) => void;
  onDone: () => void;
}) {
  const { login } = useText();
  const { href } = useLocation();
  return (
    <Modal.Root opened onClose={() => undefined} closeOnEscape={false} closeOnClickOutside={false}>
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body>
          <Title order={2} size="h3" mb="xs">
            {title}
          </Title>
          <Text mb="md">{explanation}</Text>
          <LoginSteps onBusy={onBusy} onDone={onDone}>
            <TextLink to="/forgot-password" size="sm">
              {login.forgot}
            </TextLink>
            {hasProviders && <OtherLogins returnTo={href} />}
          </LoginSteps>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
