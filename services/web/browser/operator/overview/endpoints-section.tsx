import type { EndpointFailures } from '@atrium/client';
import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { TextLink } from '../../ui/controls/links.tsx';
import { Loaded } from '../../ui/page/loaded.tsx';
import rows from '../../ui/lists/rows.module.css';
import { Section } from '../../ui/page/section.tsx';
import { Time } from '../../ui/times/time.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useFigures } from '../figures.ts';
import { operator } from '../operator.ts';
import { LIVE } from '../../ui/live.ts';

/** Whose receivers fail most, with what they answered last. */
export function EndpointsSection() {
  const { overview } = useAllText().operator;
  const query = useQuery({
    queryKey: queryKeys.operator.endpoints,
    queryFn: async ({ signal }) => (await operator.listWorstEndpoints({}, { signal })).data,
    ...LIVE,
  });
  return (
    <Section title={overview.endpoints} hint={overview.endpointsHint}>
      <Loaded query={query} skeleton={<Skeleton h={64} />}>
        {(endpoints) =>
          endpoints.length === 0 ? (
            <Text size="sm">{overview.noEndpoints}</Text>
          ) : (
            <ul className={rows.list}>
              {endpoints.map((endpoint) => (
                <EndpointRow key={endpoint.subscriptionId} endpoint={endpoint} />
              ))}
            </ul>
          )
        }
      </Loaded>
    </Section>
  );
}

function EndpointRow({ endpoint }: { endpoint: EndpointFailures }) {
  const { overview } = useAllText().operator;
  const { count } = useFigures();
  const { accountId, failingSince, lastError, lastStatus } = endpoint;
  const lastAnswer = lastStatus === null ? lastError : overview.status(String(lastStatus));
  return (
    <li className={rows.item}>
      <Group justify="space-between" gap="xs">
        <Text fw={500}>{endpoint.origin}</Text>
        <Text size="sm">
          {overview.failedOf(count(endpoint.failed), count(endpoint.deliveries))}
        </Text>
      </Group>
      <Text size="sm" c="dimmed">
        {lastAnswer !== null && `${lastAnswer} · `}
        {failingSince !== null && (
          <>
            {overview.firstFailure} <Time value={failingSince} />
            {' · '}
          </>
        )}
        <TextLink to="/operator/accounts/$id" params={{ id: accountId }} underline="always" inherit>
          {overview.account}
        </TextLink>
      </Text>
    </li>
  );
}
