import type { CreatedSubscription } from '@atrium/client';
import { Button, Group, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { focusFirstError, FormError, showServiceError } from '../forms/form-errors.tsx';
import { Dialog } from '../frame/dialog.tsx';
import { atrium } from '../session/atrium.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookChanged } from './use-webhooks.ts';
import { webhookChecks, WebhookFields, type WebhookValues } from './webhook-fields.tsx';

/** Makes a webhook and shows its secret, which then leads to the page of the webhook. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const text = useSignedInText();
  const { create } = text.webhooks;
  const navigate = useNavigate();
  const webhookChanged = useWebhookChanged();
  const [failure, setFailure] = useState<string | null>(null);
  const [isPending, setPending] = useState(false);
  const [created, setCreated] = useState<CreatedSubscription | null>(null);
  const form = useForm<WebhookValues>({
    mode: 'uncontrolled',
    initialValues: { url: '', description: '', events: [] },
    validate: webhookChecks(text),
  });
  const submit = async ({ url, description, events }: WebhookValues) => {
    setPending(true);
    setFailure(null);
    try {
      setCreated(await atrium.webhooks.createWebhook({ url: url.trim(), description, events }));
      webhookChanged();
    } catch (error) {
      setFailure(showServiceError(form, error, text));
    } finally {
      setPending(false);
    }
  };
  if (created !== null) {
    const { id, secret } = created;
    const open = () => void navigate({ to: '/webhooks/$id', params: { id }, replace: true });
    return <SecretDialog title={create.doneTitle} secret={secret} onDone={open} />;
  }
  return (
    <Dialog title={create.title} onClose={onClose}>
      <form
        noValidate
        onSubmit={form.onSubmit((values) => void submit(values), focusFirstError(form))}
      >
        <Stack>
          <FormError message={failure} />
          <WebhookFields form={form} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {text.proof.cancel}
            </Button>
            <Button type="submit" loading={isPending}>
              {create.submit}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
