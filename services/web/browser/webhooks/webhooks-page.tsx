import { Button, Stack, Text, Title } from '@mantine/core';
import { addresses } from '../addresses.ts';
import { useText } from '../texts/texts.tsx';

/** Where the email about a disabled webhook leads. */
export function WebhooksPage() {
  const { webhooks } = useText();
  return (
    <Stack align="flex-start">
      <Title order={1}>{webhooks.title}</Title>
      <Text>{webhooks.unavailable}</Text>
      <Button component="a" variant="default" href={`${addresses.webhooks}/docs`}>
        {webhooks.reference}
      </Button>
    </Stack>
  );
}
