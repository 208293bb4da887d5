import type { Subscription } from '@atrium/client';
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { isPortal } from '../platform/portal.ts';
import { AttemptDetails } from './attempts/attempt-details.tsx';
import { FormError } from '../ui/forms/form-errors.tsx';
import { CopyAs } from '../ui/controls/copy-as.tsx';
import { errorText } from '../ui/error-text.ts';
import { TextLink } from '../ui/controls/links.tsx';
import { Section } from '../ui/page/section.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { useProductEventTypes } from './use-event-types.ts';

const POLL_MS = 500;
/** Longer than an attempt may take. */
const WAIT_MAX_MS = 20_000;

/** Sends an example and shows what the endpoint answers. */
export function TestSection({ webhook }: { webhook: Subscription }) {
  const text = useAllText();
  const { test, events } = text.webhooks;
  const products = useProductEventTypes();
  const names = [...(isPortal ? [] : Object.keys(events)), ...products.map(({ name }) => name)];
  const [chosen, setEvent] = useState(webhook.events.find((name) => !name.endsWith('*')));
  const event = chosen ?? names[0] ?? '';
  const send = useMutation({
    mutationFn: () => atrium.webhooks.sendTestEvent(webhook.id, { event }),
  });
  return (
    <Section title={test.title} hint={test.hint}>
      <Stack>
        <Group align="flex-end">
          <NativeSelect
            label={test.event}
            value={event}
            // What the webhook receives may be archived, or not loaded yet.
            data={names.includes(event) ? names : [event, ...names]}
            onChange={({ currentTarget }) => setEvent(currentTarget.value)}
          />
          <Button variant="default" loading={send.isPending} onClick={() => send.mutate()}>
            {test.submit}
          </Button>
          <CopyAs
            method="POST"
            url={`${serviceUrls.webhooks}/api/webhooks/${webhook.id}/test`}
            body={{ event }}
            code={`await atrium.webhooks.sendTestEvent('${webhook.id}', { event: '${event}' });`}
          />
        </Group>
        <FormError message={send.isError ? errorText(send.error, text) : null} />
        {send.data !== undefined && (
          <Answer
            key={send.data.deliveryId}
            webhookId={webhook.id}
            deliveryId={send.data.deliveryId}
            isPaused={webhook.paused}
          />
        )}
      </Stack>
    </Section>
  );
}

function Answer({
  webhookId,
  deliveryId,
  isPaused,
}: {
  webhookId: string;
  deliveryId: string;
  isPaused: boolean;
}) {
  const queryClient = useQueryClient();
  const { test } = useAllText().webhooks;
  const [startedMs] = useState(() => Date.now());
  const query = useQuery({
    queryKey: queryKeys.webhooks.testDelivery(deliveryId),
    queryFn: async ({ signal }) => {
      const delivery = await atrium.webhooks.getDelivery(deliveryId, { signal });
      if (delivery.attempts.length > 0) {
        void queryClient.invalidateQueries({
          queryKey: queryKeys.webhooks.allStatistics(webhookId),
        });
        void queryClient.invalidateQueries({ queryKey: queryKeys.deliveries.all });
      }
      return delivery;
    },
    refetchInterval: ({ state: { data } }) => {
      const isWaiting = (data?.attempts.length ?? 0) === 0;
      return isWaiting && Date.now() - startedMs < WAIT_MAX_MS ? POLL_MS : false;
    },
  });
  const attempt = query.data?.attempts.at(-1);
  const isOver = query.dataUpdatedAt - startedMs >= WAIT_MAX_MS;
  const waiting = isOver ? test.notYet : test.waiting;
  return (
    <Stack gap="xs" role="status">
      {attempt === undefined ? (
        <Text size="sm">{isPaused ? test.paused : waiting}</Text>
      ) : (
        <AttemptDetails attempt={attempt} />
      )}
      <TextLink to="/deliveries/$id" params={{ id: deliveryId }} size="sm">
        {test.details}
      </TextLink>
    </Stack>
  );
}
