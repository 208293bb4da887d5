import type { ServiceStatus } from '@atrium/client';
import { Badge, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import rows from '../../ui/lists/rows.module.css';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useFigures } from '../figures.ts';
import { operator } from '../operator.ts';
import classes from '../operator.module.css';
import { LIVE } from '../../ui/live.ts';

const READERS = {
  auth: operator.getAuthStatus,
  notes: operator.getNotesStatus,
  links: operator.getLinksStatus,
  webhooks: operator.getWebhooksStatus,
};
const SERVICES = ['auth', 'notes', 'links', 'webhooks'] as const;
/** A service that is slower is not well. */
const DEADLINE_MS = 4_000;

/** Each service as this browser reaches it. */
export function ServicesSection() {
  const { overview } = useAllText().operator;
  return (
    <Section title={overview.services}>
      <div className={classes.short}>
        <ul className={rows.list}>
          {SERVICES.map((service) => (
            <ServiceRow key={service} service={service} />
          ))}
        </ul>
      </div>
    </Section>
  );
}

function ServiceRow({ service }: { service: (typeof SERVICES)[number] }) {
  const { overview } = useAllText().operator;
  const { data, error } = useQuery({
    queryKey: queryKeys.operator.service(service),
    queryFn: ({ signal }) => READERS[service]({ signal, deadlineMs: DEADLINE_MS }),
    ...LIVE,
  });
  return (
    <li className={rows.item}>
      <Group gap="xs" mih={26}>
        <Text fw={500}>{overview.names[service]}</Text>
        {error !== null ? (
          <Badge variant="dot" color="red">
            {overview.silent}
          </Badge>
        ) : (
          data !== undefined && <ReadinessBadge failing={data.failing} />
        )}
      </Group>
      {data === undefined ? error === null && <Skeleton h={44} /> : <Details status={data} />}
    </li>
  );
}

function ReadinessBadge({ failing }: { failing: readonly string[] }) {
  const { overview } = useAllText().operator;
  if (failing.length === 0) {
    return (
      <Badge variant="dot" color="green">
        {overview.ready}
      </Badge>
    );
  }
  return (
    <Badge variant="dot" color="red">
      {overview.notReady(failing.join(', '))}
    </Badge>
  );
}

function Details({ status: { version, startedAt, outbox } }: { status: ServiceStatus }) {
  const { overview } = useAllText().operator;
  const { count, duration } = useFigures();
  return (
    <>
      <Text size="sm" c="dimmed">
        {overview.version(version)}
        {' · '}
        {overview.started} <Time value={startedAt} />
      </Text>
      {outbox.length === 0 && (
        <Text size="sm" c="dimmed">
          {overview.outboxEmpty}
        </Text>
      )}
      {outbox.map(({ queue, waiting, oldestSeconds, setAside }) => (
        <Text key={queue} size="sm">
          {overview.outbox(queue, count(waiting), duration(oldestSeconds))}
          {setAside > 0 && ` · ${overview.setAside(count(setAside))}`}
        </Text>
      ))}
    </>
  );
}
