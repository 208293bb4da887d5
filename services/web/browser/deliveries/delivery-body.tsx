import type { DeliveryDetail } from '@atrium/client';
import { Button, Code, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Fact, Facts } from '../ui/page/facts.tsx';
import { Section } from '../ui/page/section.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './deliveries.module.css';

/** With a line for each field; an event is JSON always. */
const formatted = (body: string) => JSON.stringify(JSON.parse(body), null, 2);

/** What each attempt sends, byte for byte if wanted. */
export function DeliveryBody({ delivery }: { delivery: DeliveryDetail }) {
  const { page } = useAllText().deliveries;
  const { body } = delivery;
  const [isRaw, setRaw] = useState(false);
  return (
    <Section
      title={page.body}
      action={
        body !== null && (
          <Group gap="xs">
            <Button variant="subtle" size="xs" onClick={() => setRaw(!isRaw)}>
              {isRaw ? page.formatted : page.raw}
            </Button>
            <CopyButton value={body} label={page.copyBody} />
          </Group>
        )
      }
    >
      {body === null ? (
        <Text size="sm" c="dimmed">
          {page.noBody}
        </Text>
      ) : (
        <Code block className={classes.body} aria-label={page.body} tabIndex={0}>
          {isRaw ? body : formatted(body)}
        </Code>
      )}
    </Section>
  );
}

/** What Atrium sends beside the body. */
export function DeliveryHeaders({ delivery: { id, event } }: { delivery: DeliveryDetail }) {
  const { page } = useAllText().deliveries;
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Atrium-Webhooks/1',
    'service-event': event,
    'service-delivery': id,
    'service-signature': `(${page.signed})`,
    'webhook-id': id,
    'webhook-timestamp': `(${page.atSending})`,
    'webhook-signature': `(${page.signed})`,
  };
  return (
    <Section title={page.headers} hint={page.headersHint}>
      <Facts>
        {Object.entries(headers).map(([name, value]) => (
          <Fact key={name} label={name}>
            {value}
          </Fact>
        ))}
      </Facts>
    </Section>
  );
}
