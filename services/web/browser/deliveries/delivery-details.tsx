import { AtriumError, type DeliveryDetail } from '@atrium/client';
import { Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef } from 'react';
import { serviceUrls } from '../platform/service-urls.ts';
import { isPortal } from '../platform/portal.ts';
import { CopyAs } from '../ui/controls/copy-as.tsx';
import { ButtonLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { Section } from '../ui/page/section.tsx';
import { useNow } from '../ui/times/time.tsx';
import { useErrorToast, useToast } from '../ui/toasts/toasts.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import { AttemptDetails } from '../webhooks/attempts/attempt-details.tsx';
import classes from './deliveries.module.css';
import { DeliveryBody, DeliveryHeaders } from './delivery-body.tsx';
import { DeliveryFacts } from './delivery-facts.tsx';
import { ReplayButton } from './replay-button.tsx';
import { DeliveryStateBadge } from './state-badge.tsx';
import { canResend } from './when-due.ts';

/** While an attempt is on its way, and while one waits for its time. */
const SOON_MS = 1_000;
const LATER_MS = 5_000;

interface Appearance {
  headingLevel: 1 | 2;
  above?: ReactNode;
  action?: ReactNode;
}

function pollMs(delivery: DeliveryDetail | undefined): number | false {
  if (delivery?.state !== 'pending' && delivery?.state !== 'failed') return false;
  return delivery.state === 'pending' || delivery.nextAttemptAt === null ? SOON_MS : LATER_MS;
}

/** A delivery beside the list in which it was chosen. */
export function DeliveryBeside({ id }: { id: string }) {
  const { deliveries } = useAllText();
  return (
    <DeliveryLoaded
      id={id}
      headingLevel={2}
      missing={<Text size="sm">{deliveries.missing}</Text>}
      action={
        <ButtonLink to="/deliveries/$id" params={{ id }} variant="default">
          {deliveries.openPage}
        </ButtonLink>
      }
    />
  );
}

/** What was sent, and what was answered each time. */
export function DeliveryLoaded({
  id,
  missing,
  ...appearance
}: Appearance & { id: string; missing: ReactNode }) {
  const query = useQuery({
    queryKey: queryKeys.deliveries.one(id),
    queryFn: ({ signal }) => atrium.webhooks.getDelivery(id, { signal }),
    refetchInterval: ({ state }) => pollMs(state.data),
  });
  if (query.error instanceof AtriumError && query.error.status === 404) return missing;
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(delivery) => (
        <Details {...appearance} delivery={delivery} onResent={() => void query.refetch()} />
      )}
    </Loaded>
  );
}

function Details({
  delivery,
  headingLevel,
  above,
  action,
  onResent,
}: Appearance & { delivery: DeliveryDetail; onResent: () => void }) {
  const { deliveries } = useAllText();
  const toast = useToast();
  const showError = useErrorToast();
  const { id, event, eventId, state, attempts } = delivery;
  const isResendable = canResend(delivery, useNow());
  const heading = useRef<HTMLHeadingElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const resend = useMutation({
    mutationFn: () => atrium.webhooks.redeliverDelivery(id),
    onSuccess: () => {
      toast(deliveries.resent);
      onResent();
      // The button goes away.
      if (document.activeElement === button.current) heading.current?.focus();
    },
    onError: showError,
  });
  return (
    <Stack gap="lg">
      {headingLevel === 1 && <PageTitle>{`${event} · ${deliveries.delivery}`}</PageTitle>}
      <Stack gap={4}>
        {above}
        <Group justify="space-between">
          <Group gap="sm">
            <Title
              order={headingLevel}
              {...(headingLevel > 1 && { size: 'h3' })}
              ref={heading}
              tabIndex={-1}
            >
              {event}
            </Title>
            <DeliveryStateBadge state={state} />
          </Group>
          <Group gap="xs">
            {delivery.body !== null && <ReplayButton delivery={delivery} body={delivery.body} />}
            <CopyAs
              method="POST"
              url={`${serviceUrls.webhooks}/api/deliveries/${id}/redeliver`}
              code={`await atrium.webhooks.redeliverDelivery('${id}');`}
            />
            {isResendable && (
              <Button ref={button} loading={resend.isPending} onClick={() => resend.mutate()}>
                {deliveries.resend}
              </Button>
            )}
            {action}
          </Group>
        </Group>
      </Stack>
      <DeliveryFacts delivery={delivery} />
      <DeliveryBody delivery={delivery} />
      <Section
        title={deliveries.page.attempts}
        action={
          // A trace shows what every webhook of the account was sent.
          isPortal ? undefined : (
            <ButtonLink to="/events/$id" params={{ id: eventId }} variant="default" size="xs">
              {deliveries.page.way}
            </ButtonLink>
          )
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
      <DeliveryHeaders delivery={delivery} />
    </Stack>
  );
}
