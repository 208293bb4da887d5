import type { AccountDeliveriesQuery, Delivery } from '@atrium/client';
import { dayOf, momentsOf } from '../ui/times/days.ts';

export const STATES = ['undelivered', 'pending', 'failed', 'delivered', 'exhausted'] as const;

const EVENT_NAME = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/;

/** The filters of the page, as its URL has them: days are local dates such as 2026-03-31. */
export interface Filters {
  webhook?: string | undefined;
  state?: (typeof STATES)[number] | undefined;
  event?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

/** Reads the filters of a URL and leaves out what makes no sense. */
export function filtersOf(search: object): Filters {
  const { webhook, state, event, from, to } = search as Record<string, unknown>;
  return {
    webhook: typeof webhook === 'string' && webhook !== '' ? webhook : undefined,
    state: STATES.find((known) => known === state),
    event: typeof event === 'string' && EVENT_NAME.test(event) ? event : undefined,
    from: dayOf(from),
    to: dayOf(to),
  };
}

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== undefined);
}

/** What to ask the service. */
export function toQuery({ webhook, state, event, ...days }: Filters): AccountDeliveriesQuery {
  return { webhookId: webhook, state, event, ...momentsOf(days) };
}

/** Whether a delivery that has just come belongs into the list. */
export function matches(filters: Filters, delivery: Delivery): boolean {
  const { webhookId, state, event, from = '', to = '9' } = toQuery(filters);
  return (
    delivery.webhookId === (webhookId ?? delivery.webhookId) &&
    delivery.event === (event ?? delivery.event) &&
    (state === 'undelivered'
      ? delivery.state !== 'delivered'
      : delivery.state === (state ?? delivery.state)) &&
    from <= delivery.createdAt &&
    delivery.createdAt < to
  );
}
