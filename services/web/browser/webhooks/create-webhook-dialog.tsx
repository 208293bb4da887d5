import type { CreatedSubscription } from '@atrium/client';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookChanged } from './use-webhooks.ts';
import { webhookChecks, WebhookFields, type WebhookValues } from './webhook-fields.tsx';

/** Makes a webhook and shows its secret, which then leads to its test. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const text = useAllText();
  const { create } = text.webhooks;
  const navigate = useNavigate();
  const webhookChanged = useWebhookChanged();
  const [created, setCreated] = useState<CreatedSubscription | null>(null);
  const form = useForm<WebhookValues>({
    mode: 'uncontrolled',
    initialValues: { url: '', description: '', events: [] },
    validate: webhookChecks(text),
  });
  const submission = useSubmission(form, async ({ url, description, events }) => {
    setCreated(await atrium.webhooks.createWebhook({ url: url.trim(), description, events }));
    webhookChanged();
  });
  if (created !== null) {
    const { id, secret } = created;
    const search = { tab: 'test' };
    const open = () =>
      void navigate({ to: '/webhooks/$id', params: { id }, search, replace: true });
    return <SecretDialog title={create.doneTitle} secret={secret} onDone={open} />;
  }
  return (
    <FormDialog
      title={create.title}
      submit={create.submit}
      submission={submission}
      onClose={onClose}
    >
      <WebhookFields form={form} />
    </FormDialog>
  );
}
