import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { ExactTime } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { PublicKey } from './public-key.tsx';
import classes from './webhooks.module.css';

/** Shows a secret, this once. Only its button closes it. */
export function SecretDialog({
  title,
  keys: { id, secret, publicKey },
  oldValidUntil,
  onDone,
}: {
  title: string;
  keys: { id: string; secret: string; publicKey: string | null };
  /** When it replaces another: until when that one is valid. */
  oldValidUntil?: string;
  onDone: () => void;
}) {
  const { secret: texts } = useAllText().webhooks;
  return (
    <Dialog title={title}>
      <UnsavedChanges when explanation={texts.once} />
      <Stack>
        <Text size="sm">{texts.once}</Text>
        <Group gap="xs" wrap="nowrap" align="flex-start">
          <Code block className={classes.secret}>
            {secret}
          </Code>
          <CopyButton value={secret} label={texts.copy} />
        </Group>
        {publicKey !== null && <PublicKey id={id} publicKey={publicKey} />}
        {oldValidUntil !== undefined && (
          <Text size="sm">
            {texts.oldUntil} <ExactTime value={oldValidUntil} />.
          </Text>
        )}
        <Group justify="flex-end">
          <Button onClick={onDone}>{texts.done}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
