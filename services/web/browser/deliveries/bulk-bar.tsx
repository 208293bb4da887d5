import type { Delivery } from '@atrium/client';
import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../ui/error-text.ts';
import { useNow } from '../ui/times/time.tsx';
import { useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './deliveries.module.css';
import { canResend } from './when-due.ts';

/** Below the 60 redeliveries that the service takes in a minute. */
const RESEND_MAX = 50;

/** What can be done with the selected deliveries; nothing while none is. */
export function BulkBar({
  deliveries,
  onSelect,
}: {
  deliveries: readonly Delivery[];
  onSelect: (selected: ReadonlySet<string>) => void;
}) {
  const text = useAllText();
  const texts = text.deliveries;
  const toast = useToast();
  const queryClient = useQueryClient();
  const [done, setDone] = useState<number | null>(null);
  const now = useNow();
  if (deliveries.length === 0) return null;
  const resendable = deliveries.filter((delivery) => canResend(delivery, now));
  const waiting = deliveries.filter((delivery) => !canResend(delivery, now));
  const sendNow = async () => {
    setDone(0);
    try {
      for (const id of new Set(waiting.map(({ webhookId }) => webhookId))) {
        await atrium.webhooks.tryWebhookNow(id);
      }
      toast(texts.sendNowDone);
      onSelect(new Set());
    } catch (error) {
      toast(errorText(error, text), { kind: 'error' });
    }
    setDone(null);
    void queryClient.invalidateQueries({ queryKey: queryKeys.deliveries.all });
  };
  const resend = async () => {
    const failures: { id: string; reason: string }[] = [];
    for (const [index, { id }] of resendable.entries()) {
      setDone(index);
      try {
        await atrium.webhooks.redeliverDelivery(id);
      } catch (error) {
        failures.push({ id, reason: errorText(error, text) });
      }
    }
    setDone(null);
    const count = resendable.length - failures.length;
    if (count > 0) toast(texts.resendDone(count));
    const [first] = failures;
    if (first !== undefined) {
      toast(texts.resendFailed(failures.length, first.reason), { kind: 'error' });
    }
    onSelect(new Set(failures.map(({ id }) => id)));
    void queryClient.invalidateQueries({ queryKey: queryKeys.deliveries.all });
  };
  return (
    <Group className={classes.bulk} role="region" aria-label={texts.selected(deliveries.length)}>
      <Text size="sm" fw={600} role="status">
        {done === null
          ? texts.selected(deliveries.length)
          : texts.resending(done, resendable.length)}
      </Text>
      {waiting.length > 0 && (
        <>
          <Text size="sm">{texts.resendWaiting(waiting.length)}</Text>
          <Button
            size="xs"
            variant="default"
            loading={done !== null}
            onClick={() => void sendNow()}
          >
            {texts.sendNow}
          </Button>
        </>
      )}
      {resendable.length > RESEND_MAX ? (
        <Text size="sm">{texts.resendMax(RESEND_MAX)}</Text>
      ) : (
        resendable.length > 0 && (
          <Button size="xs" loading={done !== null} onClick={() => void resend()}>
            {texts.resend}
          </Button>
        )
      )}
      <Button variant="subtle" size="xs" onClick={() => onSelect(new Set())}>
        {texts.clearSelection}
      </Button>
    </Group>
  );
}
