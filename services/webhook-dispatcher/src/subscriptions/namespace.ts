import { namespaceOf } from '@atrium/contracts/event-names';

/** The product of all these events; null when they are of several. */
export function namespaceOfAll(events: readonly string[]): string | null {
  const [first = null, ...others] = new Set(events.map(namespaceOf));
  return others.length === 0 ? first : null;
}

/**
 * What a change of the events makes of the product of a subscription. Once it has asked for events of others it is
 * of no product again, as some of them may wait for it.
 */
export function namespaceChange(
  namespace: string | null,
  events: readonly string[] | undefined,
): { namespace?: null } {
  return events === undefined || namespaceOfAll(events) === namespace ? {} : { namespace: null };
}
