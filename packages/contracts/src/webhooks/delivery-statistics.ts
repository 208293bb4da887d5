import Type, { type Static } from 'typebox';
import { component } from '../component.ts';
import { EXAMPLE_TIMESTAMP, Timestamp } from '../timestamps.ts';

/** Attempts are counted for the newest deliveries only, so that a request reads a bounded number of rows. */
export const STATISTICS_DELIVERIES_MAX = 10_000;

export const StatisticsQuery = Type.Object({
  interval: Type.Union([Type.Literal('hour'), Type.Literal('day')], {
    default: 'hour',
    description: '`hour` is the last 24 hours, `day` the last 30 days, both in UTC',
  }),
});
export type StatisticsQuery = Static<typeof StatisticsQuery>;

const Milliseconds = (description: string) =>
  Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: `${description}; null without attempts`,
  });

const Bucket = Type.Object({
  startsAt: Timestamp,
  attempts: Type.Integer({ minimum: 0 }),
  succeeded: Type.Integer({ minimum: 0 }),
  medianMs: Milliseconds('Half of the attempts took at most this long'),
  p95Ms: Milliseconds('95 % of the attempts took at most this long'),
});

/** How the attempts of a subscription went, by the time when they were made. */
export const DeliveryStatistics = component(
  'DeliveryStatistics',
  Type.Object({
    complete: Type.Boolean({
      description: `False when only the newest ${STATISTICS_DELIVERIES_MAX} deliveries are counted`,
    }),
    buckets: Type.Array(Bucket, { description: 'Oldest first, without gaps' }),
  }),
  {
    complete: true,
    buckets: [
      { startsAt: EXAMPLE_TIMESTAMP, attempts: 120, succeeded: 118, medianMs: 38, p95Ms: 210 },
    ],
  },
);
export type DeliveryStatistics = Static<typeof DeliveryStatistics>;
