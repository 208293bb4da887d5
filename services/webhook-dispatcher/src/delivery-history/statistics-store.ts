import {
  type DeliveryStatistics,
  STATISTICS_DELIVERIES_MAX,
  type StatisticsQuery,
} from '@atrium/contracts/webhooks/delivery-statistics';
import { idBound } from '@atrium/contracts/ids';
import type { Database, ReadReplica } from '../database.ts';

const HOUR_MS = 3_600_000;
const INTERVALS = {
  hour: { lengthMs: HOUR_MS, count: 24 },
  day: { lengthMs: 24 * HOUR_MS, count: 30 },
};

/** Undefined when the account has no such subscription. */
export type ReadStatistics = (
  subscriptionId: string,
  accountId: string,
  query: StatisticsQuery,
) => Promise<DeliveryStatistics | undefined>;

// Raw: percentiles of a bounded range. OFFSET 0 keeps the planner to one lookup per delivery. Without attempts there
// is one row of nulls beside the number of deliveries.
// $1 subscription, $2 from this id, $3 from this time, $4 length of an interval.
const COUNT = `
  WITH read AS MATERIALIZED (
    SELECT id FROM deliveries
    WHERE (subscription_id, id) >= ($1, $2) AND subscription_id = $1
    ORDER BY subscription_id DESC, id DESC LIMIT ${STATISTICS_DELIVERIES_MAX}
  ), counted AS (
    SELECT date_bin(make_interval(secs => $4), a.started_at, $3) AS starts_at,
      count(*)::int AS attempts, count(*) FILTER (WHERE a.error IS NULL)::int AS succeeded,
      percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY a.duration_ms) AS durations
    FROM read CROSS JOIN LATERAL (
      SELECT * FROM attempts WHERE delivery_id = read.id AND started_at >= $3 OFFSET 0
    ) a
    GROUP BY 1
  )
  SELECT starts_at AS "startsAt", attempts, succeeded, durations[1] AS "medianMs",
    durations[2] AS "p95Ms", total.deliveries
  FROM (SELECT count(*)::int AS deliveries FROM read) total LEFT JOIN counted ON true`;

type BucketRow = Omit<DeliveryStatistics['buckets'][number], 'startsAt'> & {
  startsAt: Date | null;
  deliveries: number;
};

export function createStatisticsReader(deps: {
  database: Database;
  replica: ReadReplica;
  clockMs: () => number;
}): ReadStatistics {
  const { database, replica, clockMs } = deps;
  return async (subscriptionId, accountId, { interval }) => {
    const where = { id: subscriptionId, accountId, deletedAt: null };
    if ((await database.prisma.subscription.count({ where })) === 0) return undefined;
    const { lengthMs, count } = INTERVALS[interval];
    const endMs = (Math.floor(clockMs() / lengthMs) + 1) * lengthMs;
    const startMs = endMs - count * lengthMs;
    const since = [idBound('dlv', startMs), new Date(startMs), lengthMs / 1000];
    const rows = await replica.read(accountId, (reads) =>
      reads.query<BucketRow>(COUNT, [subscriptionId, ...since]),
    );
    const byStart = new Map(rows.map((row) => [row.startsAt?.getTime(), row]));
    const buckets = Array.from({ length: count }, (_, index) => {
      const bucketMs = startMs + index * lengthMs;
      const row = byStart.get(bucketMs);
      return {
        startsAt: new Date(bucketMs).toISOString(),
        attempts: row?.attempts ?? 0,
        succeeded: row?.succeeded ?? 0,
        medianMs: row?.medianMs ?? null,
        p95Ms: row?.p95Ms ?? null,
      };
    });
    return { complete: (rows[0]?.deliveries ?? 0) < STATISTICS_DELIVERIES_MAX, buckets };
  };
}
