import type { Subscription } from '@atrium/client';
import { Group, Text } from '@mantine/core';
import { RowLink } from '../ui/lists/row-link.tsx';
import rows from '../ui/lists/rows.module.css';
import { Time } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { HealthLine } from './health-line.tsx';
import { StateBadge, stateOf } from './state-badge.tsx';
import { useHealth } from './use-health.ts';
import { shortUrl, webhookName } from './webhook-name.ts';

export function WebhookRow({ webhook }: { webhook: Subscription }) {
  const { webhooks } = useAllText();
  const { id, url, description, events, failingSince } = webhook;
  const health = useHealth(id);
  const lastAttempt = health?.lastAttempt;
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs">
        <RowLink to="/webhooks/$id" params={{ id }}>
          {webhookName(webhook)}
        </RowLink>
        <StateBadge webhook={webhook} />
      </Group>
      <Text size="sm" c="dimmed">
        {[...(description === '' ? [] : [shortUrl(url)]), events.join(', ')].join(' · ')}
        {stateOf(webhook) === 'failing' && failingSince !== null && (
          <>
            {' · '}
            {webhooks.failingSince} <Time value={failingSince} />
          </>
        )}
        {lastAttempt && (
          <>
            {' · '}
            {lastAttempt.status === null
              ? webhooks.health.noAnswer
              : webhooks.health.lastAnswer(lastAttempt.status)}{' '}
            <Time value={lastAttempt.at} />
          </>
        )}
        {health !== undefined && health.waiting > 0 && (
          <>
            {' · '}
            <HealthLine {...health} />
          </>
        )}
      </Text>
    </li>
  );
}
