import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import classes from './developers.module.css';

/** Shows a secret, this once. Only its button closes it. */
export function SecretDialog({ secret, onDone }: { secret: string; onDone: () => void }) {
  const { own } = useAllText().applications;
  return (
    <Dialog title={own.secretTitle}>
      <UnsavedChanges when explanation={own.secretOnce} />
      <Stack>
        <Text size="sm">{own.secretOnce}</Text>
        <Code block className={classes.code}>
          {secret}
        </Code>
        <Group justify="space-between">
          <CopyButton value={secret} label={own.copySecret} />
          <Button onClick={onDone}>{own.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
