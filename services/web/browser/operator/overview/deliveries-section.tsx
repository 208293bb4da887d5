import type { DeliveryQueues } from '@atrium/client';
import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../session/query-keys.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Section } from '../../ui/page/section.tsx';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useFigures } from '../figures.ts';
import { operator } from '../operator.ts';
import classes from '../operator.module.css';
import { LIVE } from '../../ui/live.ts';
import { ThroughputChart } from './throughput-chart.tsx';

/** What waits, for how long, and how much is sent. */
export function DeliveriesSection() {
  const { overview } = useAllText().operator;
  const query = useQuery({
    queryKey: queryKeys.operator.queues,
    queryFn: ({ signal }) => operator.getDeliveryQueues({ signal }),
    ...LIVE,
  });
  return (
    <Section title={overview.deliveries}>
      <Loaded query={query} skeleton={<Skeleton h={180} />}>
        {(queues) => <Queues queues={queues} />}
      </Loaded>
    </Section>
  );
}

function Queues({ queues }: { queues: DeliveryQueues }) {
  const { overview } = useAllText().operator;
  const { count, duration } = useFigures();
  const lastFull = queues.throughput.at(-2) ?? { delivered: 0, failed: 0 };
  const figures = [
    [overview.due, count(queues.due)],
    [overview.oldest, duration(queues.oldestDueSeconds)],
    [overview.batches, count(queues.eventBatches)],
    [overview.held, count(queues.heldDeliveries)],
  ] as const;
  return (
    <Stack>
      <dl className={classes.figures}>
        {figures.map(([label, figure]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{figure}</dd>
          </div>
        ))}
      </dl>
      <Stack gap={4}>
        <Text size="sm" c="dimmed">
          {overview.throughput}
        </Text>
        <ThroughputChart minutes={queues.throughput} label={overview.throughput} />
        <Text size="sm">
          {overview.throughputOf(count(lastFull.delivered), count(lastFull.failed))}
        </Text>
      </Stack>
    </Stack>
  );
}
