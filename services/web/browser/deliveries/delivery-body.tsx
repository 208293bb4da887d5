import type { DeliveryDetail } from '@atrium/client';
import { Code, Text } from '@mantine/core';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Fact, Facts } from '../ui/page/facts.tsx';
import { Section } from '../ui/page/section.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './deliveries.module.css';

/** What each attempt sends: the body as it is signed, and the headers of Atrium. */
export function DeliveryBody({ delivery }: { delivery: DeliveryDetail }) {
  const { page } = useAllText().deliveries;
  const { body, id, event } = delivery;
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
    <>
      <Section
        title={page.body}
        action={body !== null && <CopyButton value={body} label={page.copyBody} />}
      >
        {body === null ? (
          <Text size="sm" c="dimmed">
            {page.noBody}
          </Text>
        ) : (
          <Code block className={classes.body} aria-label={page.body} tabIndex={0}>
            {body}
          </Code>
        )}
      </Section>
      <Section title={page.headers} hint={page.headersHint}>
        <Facts>
          {Object.entries(headers).map(([name, value]) => (
            <Fact key={name} label={name}>
              {value}
            </Fact>
          ))}
        </Facts>
      </Section>
    </>
  );
}
