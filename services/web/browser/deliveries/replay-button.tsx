import type { DeliveryDetail } from '@atrium/client';
import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhook } from '../webhooks/use-webhooks.ts';
import { replayCommand } from './replay-command.ts';

const COPIED_MS = 2_000;

/** Copies a command that sends the delivery once more, from the machine where it is run. */
export function ReplayButton({ delivery, body }: { delivery: DeliveryDetail; body: string }) {
  const { deliveries, copyAs } = useAllText();
  const { copy, copied } = useClipboard({ timeout: COPIED_MS });
  const { data: webhook } = useWebhook(delivery.webhookId);
  if (webhook === undefined) return null;
  const { id, event } = delivery;
  return (
    <Button
      variant="default"
      onClick={() => copy(replayCommand({ id, event, body, url: webhook.url }))}
    >
      {copied ? copyAs.copied : deliveries.replay}
    </Button>
  );
}
