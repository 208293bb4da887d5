import type { Delivery, Page } from '@atrium/client';

/**
 * Puts deliveries as they are now into the pages of a list.
 *
 * @returns the pages with those that they show already brought up to date, and those that belong among or
 *   above them, newest first
 */
export function mergeDeliveries(
  pages: readonly Page<Delivery>[],
  changed: readonly Delivery[],
  isWanted: (delivery: Delivery) => boolean,
): { pages: Page<Delivery>[]; added: Delivery[] } {
  const byId = new Map(changed.map((delivery) => [delivery.id, delivery]));
  const shown = pages.flatMap(({ data }) => data.map(({ id }) => id));
  const isComplete = pages.at(-1)?.nextCursor === null;
  // Those below it come when they are scrolled to.
  const oldestId = isComplete ? '' : (shown.at(-1) ?? '');
  const updated = pages.map((page) => ({
    ...page,
    // Also one that a filter no longer fits: what someone reads does not vanish.
    data: page.data.map((delivery) => byId.get(delivery.id) ?? delivery),
  }));
  for (const id of shown) byId.delete(id);
  const added = [...byId.values()]
    .filter((delivery) => delivery.id > oldestId && isWanted(delivery))
    .toSorted(newestFirst);
  return { pages: updated, added };
}

/** The pages of a list with more deliveries, each in its place. */
export function placeDeliveries(
  pages: readonly Page<Delivery>[],
  added: readonly Delivery[],
): Page<Delivery>[] {
  const placeOf = ({ id }: Delivery) => {
    const place = pages.findIndex(({ data }) => data.some((shown) => shown.id < id));
    return place === -1 ? pages.length - 1 : place;
  };
  const byPage = Map.groupBy(added, placeOf);
  return pages.map((page, index) => {
    const placed = byPage.get(index);
    return placed === undefined
      ? page
      : { ...page, data: [...page.data, ...placed].toSorted(newestFirst) };
  });
}

function newestFirst(a: Delivery, b: Delivery): number {
  return a.id < b.id ? 1 : -1;
}
