import type { DeliveryDetail } from '@atrium/client';
import { Button } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useCopy } from '../ui/controls/use-copy.ts';
import { useWebhook } from '../webhooks/use-webhooks.ts';
import { replayCommand } from './replay-command.ts';

/** Copies a command that sends a delivery to a URL once more, from the machine where it is run. */
export function ReplayButton({ delivery, body }: { delivery: DeliveryDetail; body: string }) {
  const { deliveries, copyAs } = useAllText();
  const { copy, copied } = useCopy();
  const { data: webhook } = useWebhook(delivery.webhookId);
  if (webhook?.destination.kind !== 'http') return null;
  const { id, event } = delivery;
  return (
    <Button
      variant="default"
      onClick={() => void copy(replayCommand({ id, event, body, url: webhook.url }))}
    >
      {copied ? copyAs.copied : deliveries.replay}
    </Button>
  );
}
