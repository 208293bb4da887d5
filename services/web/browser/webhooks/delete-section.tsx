import type { Subscription } from '@atrium/client';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Section } from '../ui/page/section.tsx';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhookChanged } from './use-webhooks.ts';

/** Deletes at once; for some minutes it can be taken back. */
export function DeleteSection({ webhook }: { webhook: Subscription }) {
  const { remove: texts } = useAllText().webhooks;
  const toast = useToast();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const webhookChanged = useWebhookChanged();
  const restore = async () => {
    try {
      webhookChanged(await atrium.webhooks.restoreWebhook(webhook.id));
      toast(texts.restored);
    } catch (error) {
      showError(error);
    }
  };
  const remove = useMutation({
    mutationFn: () => atrium.webhooks.deleteWebhook(webhook.id),
    onSuccess: async () => {
      // Changes to what is deleted need no saving.
      await navigate({ to: '/webhooks', ignoreBlocker: true });
      webhookChanged();
      toast(texts.done, { undo: () => void restore() });
    },
    onError: showError,
  });
  return (
    <Section
      title={texts.title}
      hint={texts.hint}
      action={
        <Button
          variant="default"
          c="var(--mantine-color-error)"
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {texts.submit}
        </Button>
      }
    />
  );
}
