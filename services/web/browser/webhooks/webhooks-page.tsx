import { Button, Stack, Text, Title } from '@mantine/core';
import { addresses } from '../addresses.ts';
import { useSignedInText } from '../texts/signed-in-texts.tsx';

/** Where the email about a disabled webhook leads. */
export function WebhooksPage() {
  const { webhooks } = useSignedInText();
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
