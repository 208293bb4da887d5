/** A local day such as 2026-03-31, as a URL has it; undefined for anything else. */
export function dayOf(value: unknown): string | undefined {
  const isDay = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value);
  return isDay && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** The range of a filter in moments: both days count from their first to their last moment here. */
export function momentsOf({ from, to }: { from?: string | undefined; to?: string | undefined }) {
  return {
    from: from === undefined ? undefined : localMidnight(from, 0).toISOString(),
    to: to === undefined ? undefined : localMidnight(to, 1).toISOString(),
  };
}

/** Where the clocks change at midnight, a day begins at one o'clock. */
function localMidnight(day: string, daysLater: number): Date {
  const midnight = new Date(`${day}T00:00:00`);
  midnight.setDate(midnight.getDate() + daysLater);
  midnight.setHours(0, 0, 0, 0);
  return midnight;
}
