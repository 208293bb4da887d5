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
import { PublicKey, SignatureChoice } from './public-key.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookChanged } from './use-webhooks.ts';

/** Less than the 24 hours that the old secret stays valid, whatever the clock here says. */
const OLD_SIGNATURE_MS = 23 * 3_600_000;

/** The signing secret, which can be replaced but not shown again. */
export function SecretSection({ webhook }: { webhook: Subscription }) {
  const { id, publicKey, previousSecretValidUntil: oldUntil } = webhook;
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
      {publicKey !== null && <PublicKey id={id} publicKey={publicKey} />}
      {oldUntil !== null && (
        <Text size="sm">
          {secret.oldUntil} <ExactTime value={oldUntil} />.
        </Text>
      )}
      {shown === 'question' && (
        <RotateDialog
          webhook={webhook}
          onRotated={(rotated) => {
            setShown(rotated);
            const { secret: _secret, ...changed } = rotated;
            const signature = changed.publicKey === null ? 'hmac' : 'ed25519';
            webhookChanged({ ...webhook, ...changed, signature });
          }}
          onClose={() => setShown(null)}
        />
      )}
      {shown !== null && shown !== 'question' && (
        <SecretDialog
          title={secret.rotated}
          keys={{ id, ...shown }}
          oldValidUntil={shown.previousSecretValidUntil}
          onDone={() => setShown(null)}
        />
      )}
    </Section>
  );
}

function RotateDialog({
  webhook: { id, signature, previousSecretValidUntil },
  onRotated,
  onClose,
}: {
  webhook: Subscription;
  onRotated: (rotated: RotatedSecret) => void;
  onClose: () => void;
}) {
  const text = useAllText();
  const { secret } = text.webhooks;
  const [keepsOld, setKeepsOld] = useState(false);
  const [hasKeyPair, setHasKeyPair] = useState(signature === 'ed25519');
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const rotate = async () => {
    setPending(true);
    setFailure(null);
    const until = new Date(Date.now() + OLD_SIGNATURE_MS).toISOString();
    const body = {
      signature: hasKeyPair ? 'ed25519' : 'hmac',
      ...(keepsOld && { serviceSignatureUsesPreviousUntil: until }),
    } as const;
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
        {previousSecretValidUntil !== null && <Text size="sm">{secret.rotateAgain}</Text>}
        <Checkbox
          checked={keepsOld}
          onChange={(event) => setKeepsOld(event.currentTarget.checked)}
          label={secret.keepOld}
          description={secret.keepOldHint}
        />
        <SignatureChoice
          checked={hasKeyPair}
          onChange={(event) => setHasKeyPair(event.currentTarget.checked)}
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
