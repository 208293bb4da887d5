import type { Subscription } from '@atrium/client';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../ui/page/section.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { DestinationDialog } from './destination-dialog.tsx';

/** Which kind of destination a webhook has, and a way to replace it. */
export function DestinationSection({ webhook }: { webhook: Subscription }) {
  const { destination } = useAllText().webhooks;
  const [isChanging, setChanging] = useState(false);
  return (
    <Section
      title={destination.title}
      hint={destination.hint}
      action={
        <Button variant="default" onClick={() => setChanging(true)}>
          {destination.change}
        </Button>
      }
    >
      <Text size="sm">{destination.kinds[webhook.destination.kind]}</Text>
      {isChanging && <DestinationDialog webhook={webhook} onClose={() => setChanging(false)} />}
    </Section>
  );
}
