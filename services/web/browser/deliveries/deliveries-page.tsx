import { Stack, Title } from '@mantine/core';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { WebhooksTabs } from '../webhooks/webhooks-tabs.tsx';
import { Deliveries } from './deliveries.tsx';

/** The deliveries of all webhooks. */
export function DeliveriesPage() {
  const { sections } = useAllText();
  return (
    <Stack gap="lg">
      <WebhooksTabs />
      <Title order={1}>{sections.deliveries}</Title>
      <Deliveries />
    </Stack>
  );
}
