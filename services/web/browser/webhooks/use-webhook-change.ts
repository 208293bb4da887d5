import type { Subscription } from '@atrium/client';
import { useMutation } from '@tanstack/react-query';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { useWebhookChanged } from './use-webhooks.ts';

/** A change that one button makes: it says what it has done, or why it could not. */
export function useWebhookChange(send: () => Promise<Subscription>, done: string) {
  const toast = useToast();
  const showError = useErrorToast();
  const webhookChanged = useWebhookChanged();
  return useMutation({
    mutationFn: send,
    onSuccess: (webhook) => {
      webhookChanged(webhook);
      toast(done);
    },
    onError: showError,
  });
}
