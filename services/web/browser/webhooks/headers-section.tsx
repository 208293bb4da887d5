import type { Subscription } from '@atrium/client';
import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../ui/page/section.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { HeadersDialog } from './headers-dialog.tsx';

/** Names of the custom headers, and a way to replace all of them. */
export function HeadersSection({ webhook }: { webhook: Subscription }) {
  const { headers } = useAllText().webhooks;
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title={headers.title}
      hint={headers.hint}
      action={
        <Button variant="default" onClick={() => setChanging(true)}>
          {headers.replace}
        </Button>
      }
    >
      {webhook.headerNames.length === 0 ? (
        <Text size="sm" c="dimmed">
          {headers.none}
        </Text>
      ) : (
        <Group gap="xs">
          {webhook.headerNames.map((name) => (
            <Code key={name}>{name}</Code>
          ))}
        </Group>
      )}
      {isChanging && <HeadersDialog webhook={webhook} onClose={() => setChanging(false)} />}
    </Section>
  );
}
