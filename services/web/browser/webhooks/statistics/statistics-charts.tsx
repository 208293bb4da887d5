import '@mantine/charts/styles.css';
import type { DeliveryStatistics } from '@atrium/client';
import { BarChart, LineChart } from '@mantine/charts';
import { SimpleGrid, Text } from '@mantine/core';
import { useAllText } from '../../texts/signed-in-texts.tsx';
import classes from './statistics.module.css';

const FORMATS = {
  hour: { hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short' },
} as const;

/** What is hidden from screen readers takes no focus. */
const WITHOUT_FOCUS = { accessibilityLayer: false };

/** Bars of attempts beside lines of their durations. The sentence above says the same to screen readers. */
export function StatisticsCharts({
  buckets,
  interval,
  locale,
}: {
  buckets: DeliveryStatistics['buckets'];
  interval: 'hour' | 'day';
  locale: string;
}) {
  const { statistics: texts } = useAllText().webhooks;
  const format = new Intl.DateTimeFormat(locale, FORMATS[interval]);
  const data = buckets.map(({ startsAt, attempts, succeeded, medianMs, p95Ms }) => ({
    time: format.format(new Date(startsAt)),
    succeeded,
    failed: attempts - succeeded,
    medianMs,
    p95Ms,
  }));
  const shared = {
    h: 180,
    data,
    dataKey: 'time',
    withLegend: true,
    tickLine: 'none',
    xAxisProps: { minTickGap: 24, padding: { left: 8, right: 8 } },
    // More would not fit, and some would be left out.
    yAxisProps: { allowDecimals: false, tickCount: 3 },
    valueFormatter: (value: number) => value.toLocaleString(locale),
    legendProps: { verticalAlign: 'bottom' },
  } as const;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} aria-hidden className={classes.charts}>
      <div>
        <Text size="sm" fw={600} mb="xs">
          {texts.attemptsChart}
        </Text>
        <BarChart
          {...shared}
          type="stacked"
          barChartProps={WITHOUT_FOCUS}
          series={[
            { name: 'succeeded', label: texts.succeeded, color: 'indigo.6' },
            { name: 'failed', label: texts.failed, color: 'red.6' },
          ]}
        />
      </div>
      <div>
        <Text size="sm" fw={600} mb="xs">
          {texts.durationsChart}
        </Text>
        <LineChart
          {...shared}
          lineChartProps={WITHOUT_FOCUS}
          connectNulls={false}
          curveType="linear"
          series={[
            { name: 'medianMs', label: texts.median, color: 'indigo.6' },
            { name: 'p95Ms', label: texts.p95, color: 'gray.6' },
          ]}
        />
      </div>
    </SimpleGrid>
  );
}
