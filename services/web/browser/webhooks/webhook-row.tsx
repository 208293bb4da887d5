import type { Subscription } from '@atrium/client';
import { Group, Text } from '@mantine/core';
import { LIST_ROW, moveInList } from '../frame/lists/list-keys.ts';
import { TextLink } from '../frame/controls/links.tsx';
import rows from '../frame/lists/rows.module.css';
import { Time } from '../frame/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { StateBadge, stateOf } from './state-badge.tsx';
import { shortUrl, webhookName } from './webhook-name.ts';

export function WebhookRow({ webhook }: { webhook: Subscription }) {
  const { webhooks } = useAllText();
  const { id, url, description, events, failingSince } = webhook;
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs">
        <TextLink
          to="/webhooks/$id"
          params={{ id }}
          fw={600}
          c="var(--mantine-color-text)"
          onKeyDown={moveInList}
          {...LIST_ROW}
        >
          {webhookName(webhook)}
        </TextLink>
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
      </Text>
    </li>
  );
}
