import type { Subscription } from '@atrium/client';
import { TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { FormDialog } from '../ui/dialogs/form-dialog.tsx';
import { useWhileOpen } from '../ui/dialogs/use-while-open.ts';
import { showServiceError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DestinationFields } from './destination-fields.tsx';
import { missingFields, NO_DESTINATION, toDestination } from './destination-values.ts';
import { useWebhookChanged } from './use-webhooks.ts';
import { URL_LENGTH_MAX, webhookChecks } from './webhook-fields.tsx';

/** Replaces the destination as a whole, since nobody sees its credentials again. */
export function DestinationDialog({
  webhook,
  onClose,
}: {
  webhook: Subscription;
  onClose: () => void;
}) {
  const text = useAllText();
  const { destination: texts, fields } = text.webhooks;
  const toast = useToast();
  const webhookChanged = useWebhookChanged();
  const [kind, setKind] = useState(webhook.destination.kind);
  const form = useForm({
    initialValues: { url: webhook.url, destination: valuesOf(webhook) },
    validate: ({ url, destination }) => {
      const faults = { url: webhookChecks(text).url(url) };
      return { ...faults, ...missingFields(kind, destination, text) };
    },
  });
  const close = useWhileOpen(onClose);
  const submission = useSubmission(
    form,
    async ({ url, destination }) => {
      const change = { url: url.trim(), destination: toDestination(kind, destination) };
      webhookChanged(await atrium.webhooks.updateWebhook(webhook.id, change));
      toast(texts.saved);
      close();
    },
    (error) => showServiceError(form, error, text),
  );
  return (
    <FormDialog
      title={texts.title}
      explanation={texts.dialogHint}
      submit={texts.save}
      submission={submission}
      onClose={onClose}
    >
      <DestinationFields form={form} kind={kind} onKind={setKind} />
      <TextInput
        {...form.getInputProps('url')}
        label={fields.url}
        description={texts.urlHints[kind]}
        type="url"
        inputMode="url"
        spellCheck={false}
        maxLength={URL_LENGTH_MAX}
      />
    </FormDialog>
  );
}

function valuesOf({ destination: { kind: _kind, ...shown } }: Subscription) {
  const entries = Object.entries(shown).map(([name, value]) => [name, String(value)]);
  return { ...NO_DESTINATION, ...Object.fromEntries(entries) };
}
