import type { Subscription } from '@atrium/client';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../frame/error-text.ts';
import { useToast } from '../frame/toasts.tsx';
import { useSignedInText } from '../texts/signed-in-texts.tsx';
import { useWebhookChanged } from './use-webhooks.ts';

/** A change that one button makes: it says what it has done, or why it could not. */
export function useWebhookChange(send: () => Promise<Subscription>, done: string) {
  const text = useSignedInText();
  const toast = useToast();
  const webhookChanged = useWebhookChanged();
  return useMutation({
    mutationFn: send,
    onSuccess: (webhook) => {
      webhookChanged(webhook);
      toast(done);
    },
    onError: (error) => toast(errorText(error, text), { kind: 'error' }),
  });
}
