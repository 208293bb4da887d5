import type { Subscription } from '@atrium/client';
import { Button } from '@mantine/core';
import { atrium } from '../session/atrium.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhookChange } from './use-webhook-change.ts';

/** Holds deliveries back, or lets them go again. A listener is always paused. */
export function PauseButton({ webhook }: { webhook: Subscription }) {
  const { webhooks } = useAllText();
  const { id, enabled, paused, listener } = webhook;
  const change = useWebhookChange(
    () => (paused ? atrium.webhooks.resumeWebhook(id) : atrium.webhooks.pauseWebhook(id)),
    paused ? webhooks.resumedDone : webhooks.pausedDone,
  );
  if (listener || !enabled) return null;
  return (
    <Button variant="default" loading={change.isPending} onClick={() => change.mutate()}>
      {paused ? webhooks.resume : webhooks.pause}
    </Button>
  );
}
