import { Modal, Text } from '@mantine/core';
import { LoginSteps } from '../getting-in/login-steps.tsx';

/** Asks for a login over a page, which stays as it is. Only the login closes it. */
export function LoginDialog({ title, explanation }: { title: string; explanation: string }) {
  return (
    <Modal
      opened
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
    >
      <Text mb="md">{explanation}</Text>
      <LoginSteps onDone={() => undefined} />
    </Modal>
  );
}
