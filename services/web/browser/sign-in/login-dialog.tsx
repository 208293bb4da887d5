import { Modal, Text, Title } from '@mantine/core';
import { LoginSteps } from './login-steps.tsx';

/** Asks for a login over a page, which stays as it is. Only the login closes it. */
export function LoginDialog({ title, explanation }: { title: string; explanation: string }) {
  return (
    <Modal.Root
      opened
      onClose={() => undefined}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={300}
    >
      <Modal.Overlay />
      <Modal.Content aria-label={title}>
        <Modal.Body>
          <Title order={2} size="h3" mb="xs">
            {title}
          </Title>
          <Text mb="md">{explanation}</Text>
          <LoginSteps onDone={() => undefined} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
