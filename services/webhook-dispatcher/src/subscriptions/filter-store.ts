import type { Filter } from '@atrium/contracts/webhooks/filters';
import { Prisma, type Subscription as SubscriptionRow } from '../generated/client.ts';

export function filterOf({
  filter,
  unmatchedCount,
}: Pick<SubscriptionRow, 'filter' | 'unmatchedCount'>) {
  return { filter: isFilter(filter) ? filter : null, unmatchedCount: Number(unmatchedCount) };
}

const isFilter = (value: unknown): value is Filter => typeof value === 'object' && value !== null;

/** A new filter is counted from 0; undefined leaves the filter as it is. */
export function filterChange(filter: Filter | null | undefined) {
  if (filter === undefined) return {};
  const stored = filter === null ? Prisma.DbNull : (filter as Prisma.InputJsonObject);
  return { filter: stored, unmatchedCount: 0 };
}
