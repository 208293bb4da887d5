import type { CreatedSubscription } from '@atrium/client';
import { useForm } from '@mantine/form';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { SignatureChoice } from './public-key.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookChanged } from './use-webhooks.ts';
import { webhookChecks, WebhookFields, type WebhookValues } from './webhook-fields.tsx';

interface Values extends WebhookValues {
  hasKeyPair: boolean;
}

/** Makes a webhook and shows its secret, which then leads to its test. */
export function CreateWebhookDialog({ onClose }: { onClose: () => void }) {
  const text = useAllText();
  const { create } = text.webhooks;
  const navigate = useNavigate();
  const webhookChanged = useWebhookChanged();
  const [created, setCreated] = useState<CreatedSubscription | null>(null);
  const form = useForm<Values>({
    mode: 'uncontrolled',
    initialValues: { url: '', description: '', events: [], hasKeyPair: false },
    validate: webhookChecks(text),
  });
  const submission = useSubmission(form, async ({ url, description, events, hasKeyPair }) => {
    const body = { url: url.trim(), description, events };
    const signature = hasKeyPair ? 'ed25519' : 'hmac';
    setCreated(await atrium.webhooks.createWebhook({ ...body, signature }));
    webhookChanged();
  });
  if (created !== null) {
    const { id } = created;
    const search = { tab: 'test' };
    const open = () =>
      void navigate({ to: '/webhooks/$id', params: { id }, search, replace: true });
    return <SecretDialog title={create.doneTitle} keys={created} onDone={open} />;
  }
  return (
    <FormDialog
      title={create.title}
      submit={create.submit}
      submission={submission}
      onClose={onClose}
    >
      <WebhookFields form={form} />
      <SignatureChoice
        key={form.key('hasKeyPair')}
        {...form.getInputProps('hasKeyPair', { type: 'checkbox' })}
      />
    </FormDialog>
  );
}
