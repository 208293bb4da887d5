import { AtriumError, type DeliveryDetail } from '@atrium/client';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { addresses } from '../platform/addresses.ts';
import { CopyAs } from '../ui/controls/copy-as.tsx';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { NotFound } from '../ui/page/not-found.tsx';
import { Section } from '../ui/page/section.tsx';
import { useNow } from '../ui/times/time.tsx';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { AttemptDetails } from '../webhooks/attempts/attempt-details.tsx';
import classes from './deliveries.module.css';
import { DeliveryBody } from './delivery-body.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { DeliveryStateBadge } from './state-badge.tsx';
import { canResend } from './when-due.ts';

/** While an attempt is on its way, and while one waits for its time. */
const SOON_MS = 1_000;
const LATER_MS = 5_000;

function pollMs(delivery: DeliveryDetail | undefined): number | false {
  if (delivery?.state !== 'pending' && delivery?.state !== 'failed') return false;
  return delivery.state === 'pending' || delivery.nextAttemptAt === null ? SOON_MS : LATER_MS;
}

/** One delivery: what was sent, and what was answered each time. */
export function DeliveryPage({ id }: { id: string }) {
  const query = useQuery({
    queryKey: queryKeys.deliveries.one(id),
    queryFn: ({ signal }) => atrium.webhooks.getDelivery(id, { signal }),
    refetchInterval: ({ state }) => pollMs(state.data),
  });
  if (query.error instanceof AtriumError && query.error.status === 404) return <NotFound />;
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(delivery) => <Details delivery={delivery} onResent={() => void query.refetch()} />}
    </Loaded>
  );
}

function Details({ delivery, onResent }: { delivery: DeliveryDetail; onResent: () => void }) {
  const { sections, deliveries } = useAllText();
  const toast = useToast();
  const showError = useErrorToast();
  const { id, event, eventId, state, attempts } = delivery;
  const isResendable = canResend(delivery, useNow());
  const heading = useRef<HTMLHeadingElement>(null);
  const resend = useMutation({
    mutationFn: () => atrium.webhooks.redeliverDelivery(id),
    onSuccess: () => {
      toast(deliveries.resent);
      onResent();
      // The button that has the focus goes away.
      heading.current?.focus();
    },
    onError: showError,
  });
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        <TextLink to="/deliveries" size="sm">
          {sections.deliveries}
        </TextLink>
        <Group justify="space-between">
          <Group gap="sm">
            <Title order={1} ref={heading} tabIndex={-1}>
              {event}
            </Title>
            <DeliveryStateBadge state={state} />
          </Group>
          <Group gap="xs">
            <CopyAs
              method="POST"
              url={`${addresses.webhooks}/api/deliveries/${id}/redeliver`}
              code={`await atrium.webhooks.redeliverDelivery('${id}');`}
            />
            {isResendable && (
              <Button loading={resend.isPending} onClick={() => resend.mutate()}>
                {deliveries.resend}
              </Button>
            )}
          </Group>
        </Group>
      </Stack>
      <DeliveryFacts delivery={delivery} />
      <Section
        title={deliveries.page.attempts}
        action={
          <ButtonLink to="/events/$id" params={{ id: eventId }} variant="default" size="xs">
            {deliveries.page.way}
          </ButtonLink>
        }
      >
        {attempts.length === 0 ? (
          <Text size="sm" c="dimmed" role="status">
            {deliveries.page.noAttempts}
          </Text>
        ) : (
          <ol className={classes.attempts} reversed>
            {attempts.toReversed().map((attempt) => (
              <li key={attempt.id}>
                <Text size="sm" fw={600} mb={6}>
                  {deliveries.page.attempt(attempt.number)}
                </Text>
                <AttemptDetails attempt={attempt} />
              </li>
            ))}
          </ol>
        )}
      </Section>
      <DeliveryBody delivery={delivery} />
    </Stack>
  );
}
