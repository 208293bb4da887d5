import type { DeliveryDetail } from '@atrium/client';
import { Code, Group } from '@mantine/core';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Fact, Facts } from '../ui/page/facts.tsx';
import { TextLink } from '../ui/controls/links.tsx';
import { ExactTime } from '../ui/times/time.tsx';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useWebhook } from '../webhooks/use-webhooks.ts';
import { webhookName } from '../webhooks/webhook-name.ts';
import { NextAttempt } from './next-attempt.tsx';

/** Where a delivery goes, when, and what happens next. */
export function DeliveryFacts({ delivery }: { delivery: DeliveryDetail }) {
  const { page } = useAllText().deliveries;
  const { id, webhookId, state, createdAt, nextAttemptAt } = delivery;
  const { data: webhook } = useWebhook(webhookId);
  const isWaiting = state === 'pending' || state === 'failed';
  return (
    <Facts>
      <Fact label={page.webhook}>
        <TextLink to="/webhooks/$id" params={{ id: webhookId }} size="sm">
          {webhook === undefined ? webhookId : webhookName(webhook)}
        </TextLink>
      </Fact>
      <Fact label={page.created}>
        <ExactTime value={createdAt} />
      </Fact>
      {isWaiting && (
        <Fact label={page.next}>
          {nextAttemptAt === null ? page.inProgress : <NextAttempt at={nextAttemptAt} />}
        </Fact>
      )}
      <Fact label={page.id}>
        <Group gap="xs">
          <Code>{id}</Code>
          <CopyButton value={id} label={page.copyId} />
        </Group>
      </Fact>
    </Facts>
  );
}
