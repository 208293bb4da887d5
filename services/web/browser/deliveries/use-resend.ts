import type { Delivery } from '@atrium/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { canResend } from './when-due.ts';

/** Sends a delivery again, or says that it is sent anyway. */
export function useResend(): (delivery: Delivery) => void {
  const { deliveries } = useAllText();
  const toast = useToast();
  const showError = useErrorToast();
  const queryClient = useQueryClient();
  return useCallback(
    (delivery) => {
      if (!canResend(delivery, Date.now())) {
        toast(deliveries.resendWaiting(1));
        return;
      }
      atrium.webhooks.redeliverDelivery(delivery.id).then(() => {
        toast(deliveries.resent);
        void queryClient.invalidateQueries({ queryKey: queryKeys.deliveries.all });
      }, showError);
    },
    [deliveries, queryClient, showError, toast],
  );
}
