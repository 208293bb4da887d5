import type { DeliveryStatistics } from '@atrium/client';
import { Skeleton, Stack, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { Suspense } from 'react';
import { SegmentedChoice } from '../../ui/controls/segmented-choice.tsx';
import { lazyPart } from '../../ui/lazy-part.tsx';
import { LIVE } from '../../ui/live.ts';
import { Loaded } from '../../ui/page/loaded.tsx';
import { Section } from '../../ui/page/section.tsx';
import { atrium } from '../../session/atrium.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import { useTranslation } from '../../texts/texts.tsx';

type Interval = 'hour' | 'day';

const Charts = lazyPart(async () => (await import('./statistics-charts.tsx')).StatisticsCharts);

/** How many attempts succeeded, and how long they took. The URL has the period. */
export function StatisticsSection({ id }: { id: string }) {
  const { statistics } = useAllText().webhooks;
  const navigate = useNavigate();
  const interval: Interval = useLocation({
    select: ({ search }) => (Reflect.get(search, 'interval') === 'day' ? 'day' : 'hour'),
  });
  const query = useQuery({
    queryKey: queryKeys.webhooks.statistics(id, interval),
    queryFn: ({ signal }) => atrium.webhooks.getWebhookStatistics(id, { interval }, { signal }),
    placeholderData: keepPreviousData,
    ...LIVE,
  });
  const choose = (chosen: string) =>
    void navigate({
      to: '.',
      search: (search: object) => ({
        ...search,
        interval: chosen === 'day' ? 'day' : undefined,
      }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Section
      title={statistics.title}
      action={
        <SegmentedChoice
          label={statistics.interval}
          value={interval}
          options={(['hour', 'day'] as const).map((value) => ({ value, label: statistics[value] }))}
          onChange={choose}
        />
      }
    >
      <Loaded query={query} skeleton={<Skeleton h={200} />}>
        {(data) => <Statistics data={data} interval={interval} />}
      </Loaded>
    </Section>
  );
}

function Statistics({ data, interval }: { data: DeliveryStatistics; interval: Interval }) {
  const { statistics } = useAllText().webhooks;
  const { locale } = useTranslation();
  const sum = (count: (bucket: DeliveryStatistics['buckets'][number]) => number) =>
    data.buckets.reduce((total, bucket) => total + count(bucket), 0);
  const attempts = sum((bucket) => bucket.attempts);
  if (attempts === 0) {
    return (
      <Text size="sm" c="dimmed">
        {statistics.none}
      </Text>
    );
  }
  const succeeded = sum((bucket) => bucket.succeeded);
  const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 });
  return (
    <Stack gap="md">
      <Text size="sm">
        {statistics.summary(
          succeeded.toLocaleString(locale),
          attempts.toLocaleString(locale),
          share.format(succeeded / attempts),
        )}{' '}
        {!data.complete && statistics.partial}
      </Text>
      <Suspense fallback={<Skeleton h={200} />}>
        <Charts buckets={data.buckets} interval={interval} locale={locale} />
      </Suspense>
    </Stack>
  );
}
