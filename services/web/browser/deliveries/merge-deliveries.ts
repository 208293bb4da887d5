import type { Delivery, Page } from '@atrium/client';

/**
 * Puts deliveries as they are now into the pages of a list.
 *
 * @returns the pages with those that they show already brought up to date, and the new ones that
 *   belong above them, newest first
 */
export function mergeDeliveries(
  pages: readonly Page<Delivery>[],
  changed: readonly Delivery[],
  isWanted: (delivery: Delivery) => boolean,
): { pages: Page<Delivery>[]; added: Delivery[] } {
  const byId = new Map(changed.map((delivery) => [delivery.id, delivery]));
  const newestId = pages[0]?.data[0]?.id ?? '';
  const updated = pages.map((page) => ({
    ...page,
    // Also one that a filter no longer fits: what someone reads does not vanish.
    data: page.data.map((delivery) => byId.get(delivery.id) ?? delivery),
  }));
  const added = [...byId.values()]
    .filter((delivery) => delivery.id > newestId && isWanted(delivery))
    .toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return { pages: updated, added };
}
