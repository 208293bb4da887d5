import type { AuditQuery } from '@atrium/client';

export const CATEGORIES = [
  'account',
  'session',
  'password',
  'email',
  'factor',
  'operator',
] as const;

type Category = (typeof CATEGORIES)[number];

/** The filters of the page, as its address has them: days are local dates such as 2026-03-31. */
export interface Filters {
  category?: Category | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Reads the filters of an address and leaves out what makes no sense. */
export function filtersOf(search: object): Filters {
  const { category, from, to } = search as Record<string, unknown>;
  return {
    category: CATEGORIES.find((known) => known === category),
    from: dayOf(from),
    to: dayOf(to),
  };
}

function dayOf(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** What to ask the service: both days count from their first to their last moment here. */
export function toQuery({ category, from, to }: Filters): AuditQuery {
  return {
    category,
    from: from === undefined ? undefined : localMidnight(from, 0).toISOString(),
    to: to === undefined ? undefined : localMidnight(to, 1).toISOString(),
  };
}

function localMidnight(day: string, daysLater: number): Date {
  const midnight = new Date(`${day}T00:00:00`);
  midnight.setDate(midnight.getDate() + daysLater);
  return midnight;
}
