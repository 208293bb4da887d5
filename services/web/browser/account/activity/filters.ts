import type { AuditQuery } from '@atrium/client';
import { dayOf, momentsOf } from '../../ui/times/days.ts';

export const CATEGORIES = [
  'account',
  'session',
  'password',
  'email',
  'factor',
  'application',
  'operator',
] as const;

type Category = (typeof CATEGORIES)[number];

/** The filters of the page, as its URL has them: days are local dates such as 2026-03-31. */
export interface Filters {
  category?: Category | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Reads the filters of a URL and leaves out what makes no sense. */
export function filtersOf(search: object): Filters {
  const { category, from, to } = search as Record<string, unknown>;
  return {
    category: CATEGORIES.find((known) => known === category),
    from: dayOf(from),
    to: dayOf(to),
  };
}

/** What to ask the service. */
export function toQuery({ category, ...days }: Filters): AuditQuery {
  return { category, ...momentsOf(days) };
}
