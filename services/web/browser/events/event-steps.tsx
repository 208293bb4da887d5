import type { EventTrace } from '@atrium/client';
import { Group, Text, Timeline } from '@mantine/core';
import type { ReactNode } from 'react';
import { AttemptDetails } from '../webhooks/attempts/attempt-details.tsx';
import { durationText } from '../webhooks/attempts/duration.ts';
import { NextAttempt } from '../deliveries/next-attempt.tsx';
import { DeliveryStateBadge } from '../deliveries/state-badge.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { ExactTime } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useTranslation } from '../texts/texts.tsx';
import { useWebhooks } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import { CauseLink } from './cause-link.tsx';
import classes from './events.module.css';

/** Cause, event, deliveries and attempts in their order, with the time between them. */
export function EventSteps({ trace }: { trace: EventTrace }) {
  const { deliveries: texts, events } = useAllText();
  const { data: webhooks = [] } = useWebhooks();
  const names = new Map(webhooks.map((webhook) => [webhook.id, webhookName(webhook)]));
  const { cause, createdAt, deliveries, held, unmatched } = trace;
  const withoutDelivery = [
    ...held.map((id) => ({ id, reason: events.held })),
    ...unmatched.map((id) => ({ id, reason: events.unmatched })),
  ];
  return (
    <Timeline bulletSize={12} lineWidth={2}>
      <Timeline.Item title={events.causes[cause?.kind ?? 'unknown']}>
        {cause !== null && (
          <Group gap="xs">
            <Text size="sm" c="dimmed">
              <ExactTime value={cause.occurredAt} />
            </Text>
            <CauseLink cause={cause} />
          </Group>
        )}
      </Timeline.Item>
      <Timeline.Item title={events.stored}>
        <After since={cause?.occurredAt ?? createdAt} time={createdAt} />
      </Timeline.Item>
      {deliveries.length + withoutDelivery.length === 0 && (
        <Timeline.Item>
          <Text size="sm">{events.noDeliveries}</Text>
        </Timeline.Item>
      )}
      {deliveries.map((delivery) => (
        <Timeline.Item
          key={delivery.id}
          title={
            <Group gap="xs" component="span">
              <TextLink to="/deliveries/$id" params={{ id: delivery.id }} fw={600}>
                {events.delivery(names.get(delivery.webhookId) ?? delivery.webhookId)}
              </TextLink>
              <DeliveryStateBadge state={delivery.state} />
            </Group>
          }
        >
          <After since={createdAt} time={delivery.createdAt} />
          <Timeline className={classes.attempts} mt="md" bulletSize={10} lineWidth={2} color="gray">
            {delivery.attempts.map((attempt, index) => {
              const before = delivery.attempts[index - 1]?.startedAt ?? delivery.createdAt;
              return (
                <Timeline.Item key={attempt.id} title={texts.page.attempt(attempt.number)}>
                  <After since={before} time={attempt.startedAt}>
                    <AttemptDetails attempt={attempt} />
                  </After>
                </Timeline.Item>
              );
            })}
            {delivery.nextAttemptAt !== null && (
              <Timeline.Item title={texts.page.next} lineVariant="dashed">
                <Text size="sm" c="dimmed">
                  <NextAttempt at={delivery.nextAttemptAt} />
                </Text>
              </Timeline.Item>
            )}
          </Timeline>
        </Timeline.Item>
      ))}
      {withoutDelivery.map(({ id, reason }) => (
        <Timeline.Item
          key={id}
          title={
            <TextLink to="/webhooks/$id" params={{ id }} search={{ tab: 'settings' }} fw={600}>
              {names.get(id) ?? id}
            </TextLink>
          }
          lineVariant="dashed"
        >
          <Text size="sm" c="dimmed">
            {reason}
          </Text>
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** How long after the step before. */
function After({ since, time, children }: { since: string; time: string; children?: ReactNode }) {
  const { events } = useAllText();
  const { locale } = useTranslation();
  const durationMs = Math.max(0, Date.parse(time) - Date.parse(since));
  return (
    <>
      <Text size="sm" c="dimmed" mb={children === undefined ? 0 : 6}>
        {events.after(durationText(durationMs, locale))}
      </Text>
      {children}
    </>
  );
}
