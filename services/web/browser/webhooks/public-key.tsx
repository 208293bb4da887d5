import { Checkbox, type CheckboxProps, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { serviceUrls } from '../platform/service-urls.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './webhooks.module.css';

/** The public key of a webhook that signs with ed25519, which may be shown at any time. */
export function PublicKey({ id, publicKey }: { id: string; publicKey: string }) {
  const { signature } = useAllText().webhooks;
  return (
    <Stack gap={4}>
      <Text size="sm" fw={500}>
        {signature.publicKey}
      </Text>
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Code block className={classes.secret}>
          {publicKey}
        </Code>
        <CopyButton value={publicKey} label={signature.copy} />
      </Group>
      <Text size="xs" c="dimmed" className={classes.wrap}>
        {`${signature.alsoAt} ${serviceUrls.webhooks}/.well-known/webhook-keys/${id}`}
      </Text>
    </Stack>
  );
}

/** Whether a webhook signs with ed25519. */
export function SignatureChoice(props: CheckboxProps) {
  const { signature } = useAllText().webhooks;
  return <Checkbox {...props} label={signature.choice} description={signature.choiceHint} />;
}
