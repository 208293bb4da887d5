import type { Subscription } from '@atrium/client';
import { Button, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useFollowing } from '../ui/forms/use-following.ts';
import { FormError, hasCode, showServiceError } from '../ui/forms/form-errors.tsx';
import { useSubmission } from '../ui/forms/use-submission.ts';
import { Section } from '../ui/page/section.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { UnsavedChanges } from '../ui/dialogs/unsaved-changes.tsx';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhookChanged } from './use-webhooks.ts';
import { webhookChecks, WebhookFields, type WebhookValues } from './webhook-fields.tsx';
import classes from './webhooks.module.css';

interface Values extends WebhookValues {
  rate: string;
}

const RATE_MAX = 10_000;

function valuesOf({ url, description, events, rateLimitPerSecond }: Subscription): Values {
  return { url, description, events, rate: String(rateLimitPerSecond ?? '') };
}

function isRate(text: string): boolean {
  const rate = Number(text);
  return text === '' || (/^\d+$/.test(text) && rate >= 1 && rate <= RATE_MAX);
}

/** Where a webhook leads, what it gets and how fast. */
export function SettingsSection({ webhook }: { webhook: Subscription }) {
  const text = useAllText();
  const { settings, fields, headers, destination } = text.webhooks;
  const toast = useToast();
  const webhookChanged = useWebhookChanged();
  const form = useForm<Values>({
    initialValues: valuesOf(webhook),
    validate: {
      ...webhookChecks(text),
      rate: (rate) => (isRate(rate.trim()) ? null : fields.rateInvalid),
    },
  });
  useFollowing(form, valuesOf(webhook));
  const { failure, isPending, onSubmit } = useSubmission(
    form,
    async (values) => {
      const { url, description, events, rate } = values;
      // The rest may have changed elsewhere in the meantime.
      const change = {
        ...(form.isDirty('url') && { url: url.trim() }),
        ...(form.isDirty('description') && { description }),
        ...(form.isDirty('events') && { events }),
        ...(form.isDirty('rate') && {
          rateLimitPerSecond: rate.trim() === '' ? null : Number(rate),
        }),
      };
      if (Object.keys(change).length > 0) {
        const changed = await atrium.webhooks.updateWebhook(webhook.id, change);
        form.resetDirty(values);
        webhookChanged(changed);
      }
      toast(settings.saved);
    },
    // Custom headers, which often carry credentials, do not follow a URL to another host.
    (error) =>
      hasCode(error, 'headers-required') ? headers.needed : showServiceError(form, error, text),
  );
  return (
    <Section title={settings.title}>
      <UnsavedChanges when={form.isDirty() && !isPending} />
      <form noValidate className={classes.form} onSubmit={onSubmit}>
        <Stack>
          <FormError message={failure} />
          <WebhookFields form={form} urlHint={destination.urlHints[webhook.destination.kind]} />
          <TextInput
            {...form.getInputProps('rate')}
            label={fields.rate}
            description={fields.rateHint}
            inputMode="numeric"
            autoComplete="off"
          />
          <Button type="submit" loading={isPending} className={classes.submit}>
            {settings.save}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
