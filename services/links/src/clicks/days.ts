import type { DayOfClicks } from '@atrium/contracts/links';

const DAY_MS = 86_400_000;

/** The first of so many days, of which the last is today in UTC. */
export function firstDay(days: number, nowMs: number): Date {
  return new Date(Math.floor(nowMs / DAY_MS) * DAY_MS - (days - 1) * DAY_MS);
}

/** One entry for each day, also for those without clicks. */
export function fillDays(
  rows: readonly { day: Date; people: bigint | number; bots: bigint | number }[],
  from: Date,
  days: number,
): DayOfClicks[] {
  const byTime = new Map(rows.map((row) => [row.day.getTime(), row]));
  return Array.from({ length: days }, (_, index) => {
    const day = new Date(from.getTime() + index * DAY_MS);
    const { people = 0, bots = 0 } = byTime.get(day.getTime()) ?? {};
    return { day: day.toISOString().slice(0, 10), people: Number(people), bots: Number(bots) };
  });
}
