import { AtriumError, type EventTrace } from '@atrium/client';
import { Anchor, Code, Group, Skeleton, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../ui/controls/copy-button.tsx';
import { Fact, Facts } from '../ui/page/facts.tsx';
import { ButtonLink, TextLink } from '../ui/controls/links.tsx';
import { Loaded } from '../ui/page/loaded.tsx';
import { MessagePage } from '../ui/page/message-page.tsx';
import { PageTitle } from '../ui/page/page-title.tsx';
import { Section } from '../ui/page/section.tsx';
import { atrium } from '../session/atrium.ts';
import { queryKeys } from '../session/query-keys.ts';
import { useAllText } from '../texts/signed-in-texts.tsx';
import classes from './events.module.css';
import { EventSteps } from './event-steps.tsx';

const POLL_MS = 2_000;

function isUnderWay(trace: EventTrace | undefined): boolean {
  return trace?.deliveries.some(({ state }) => state === 'pending' || state === 'failed') ?? false;
}

/** One event from what caused it to the last attempt of its deliveries. */
export function EventPage({ id }: { id: string }) {
  const { sections, events } = useAllText();
  const query = useQuery({
    queryKey: queryKeys.deliveries.event(id),
    queryFn: ({ signal }) => atrium.webhooks.getEvent(id, { signal }),
    refetchInterval: ({ state }) => (isUnderWay(state.data) ? POLL_MS : false),
  });
  if (query.error instanceof AtriumError && query.error.status === 404) {
    return (
      <MessagePage
        title={events.title}
        actions={<ButtonLink to="/deliveries">{sections.deliveries}</ButtonLink>}
      >
        {events.missing}
      </MessagePage>
    );
  }
  return (
    <Loaded query={query} skeleton={<Skeleton h={480} />}>
      {(trace) => <Trace trace={trace} />}
    </Loaded>
  );
}

function Trace({ trace }: { trace: EventTrace }) {
  const { sections, events } = useAllText();
  const { id, event, requestId, traceId, traceUrl, data } = trace;
  const json = JSON.stringify(data, null, 2);
  return (
    <Stack gap="lg">
      <PageTitle>{`${event} · ${events.title}`}</PageTitle>
      <Stack gap={4}>
        <TextLink to="/deliveries" size="sm">
          {sections.deliveries}
        </TextLink>
        <Title order={1}>{event}</Title>
      </Stack>
      <Facts>
        <Fact label={events.id}>
          <Group gap="xs">
            <Code className={classes.wrap}>{id}</Code>
            <CopyButton value={id} label={events.copyId} />
          </Group>
        </Fact>
        {requestId !== null && (
          <Fact label={events.request}>
            <Group gap="xs">
              <Code className={classes.wrap}>{requestId}</Code>
              <CopyButton value={requestId} label={events.copyRequest} />
            </Group>
          </Fact>
        )}
        {traceId !== null && (
          <Fact label={events.trace}>
            <Group gap="xs">
              <Code className={classes.wrap}>{traceId}</Code>
              <CopyButton value={traceId} label={events.copyTrace} />
              {traceUrl !== null && (
                <Anchor href={traceUrl} target="_blank" rel="noreferrer" size="sm">
                  {events.toTrace}
                </Anchor>
              )}
            </Group>
          </Fact>
        )}
      </Facts>
      <Section title={events.way}>
        <EventSteps trace={trace} />
      </Section>
      <Section title={events.data} action={<CopyButton value={json} label={events.copyData} />}>
        <Code block className={classes.data} aria-label={events.data} tabIndex={0}>
          {json}
        </Code>
      </Section>
    </Stack>
  );
}
