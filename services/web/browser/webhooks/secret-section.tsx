import type { RotatedSecret, Subscription } from '@atrium/client';
import { Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FormError } from '../ui/forms/form-errors.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { errorText } from '../ui/error-text.ts';
import { Section } from '../ui/page/section.tsx';
import { ExactTime } from '../ui/times/time.tsx';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookChanged } from './use-webhooks.ts';

/** Less than the 24 hours that the old secret stays valid, whatever the clock here says. */
const OLD_SIGNATURE_MS = 23 * 3_600_000;

/** The signing secret, which can be replaced but not shown again. */
export function SecretSection({ webhook }: { webhook: Subscription }) {
  const { id, previousSecretValidUntil: oldUntil } = webhook;
  const { secret } = useAllText().webhooks;
  const webhookChanged = useWebhookChanged();
  const [shown, setShown] = useState<'question' | RotatedSecret | null>(null);
  return (
    <Section
      title={secret.title}
      hint={secret.hint}
      action={
        <Button variant="default" onClick={() => setShown('question')}>
          {secret.rotate}
        </Button>
      }
    >
      {oldUntil !== null && (
        <Text size="sm">
          {secret.oldUntil} <ExactTime value={oldUntil} />.
        </Text>
      )}
      {shown === 'question' && (
        <RotateDialog
          id={id}
          onRotated={(rotated) => {
            setShown(rotated);
            const { previousSecretValidUntil } = rotated;
            webhookChanged({ ...webhook, previousSecretValidUntil });
          }}
          onClose={() => setShown(null)}
        />
      )}
      {shown !== null && shown !== 'question' && (
        <SecretDialog
          title={secret.rotated}
          secret={shown.secret}
          oldValidUntil={shown.previousSecretValidUntil}
          onDone={() => setShown(null)}
        />
      )}
    </Section>
  );
}

function RotateDialog({
  id,
  onRotated,
  onClose,
}: {
  id: string;
  onRotated: (rotated: RotatedSecret) => void;
  onClose: () => void;
}) {
  const text = useAllText();
  const { secret } = text.webhooks;
  const [keepsOld, setKeepsOld] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const rotate = async () => {
    setPending(true);
    setFailure(null);
    const until = new Date(Date.now() + OLD_SIGNATURE_MS).toISOString();
    const body = keepsOld ? { serviceSignatureUsesPreviousUntil: until } : {};
    try {
      onRotated(await atrium.webhooks.rotateWebhookSecret(id, body));
    } catch (error) {
      setFailure(errorText(error, text));
      setPending(false);
    }
  };
  return (
    <Dialog title={secret.rotateTitle} onClose={onClose}>
      <Stack>
        <Text size="sm">{secret.rotateHint}</Text>
        <Checkbox
          checked={keepsOld}
          onChange={(event) => setKeepsOld(event.currentTarget.checked)}
          label={secret.keepOld}
          description={secret.keepOldHint}
        />
        <FormError message={failure} />
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={onClose}>
            {text.proof.cancel}
          </Button>
          <Button loading={isPending} onClick={() => void rotate()}>
            {secret.rotate}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
