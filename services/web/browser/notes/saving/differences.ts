import { diffIndices } from 'node-diff3';

/** Words with the space before them: spaces of their own would all be alike. */
export const splitWords = (text: string): string[] => text.match(/\s*\S+|\s+$/g) ?? [];

type Range = readonly [start: number, end: number];

/**
 * Where two lists of parts differ.
 *
 * @param comparedMax parts of a list between what both begin and end with: more would make the page wait, and
 *   count as one difference
 */
export function differences(
  one: readonly string[],
  other: readonly string[],
  comparedMax: number,
): { one: Range; other: Range }[] {
  const most = Math.min(one.length, other.length);
  let start = 0;
  while (start < most && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1;
  const [a, b] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const isLong = Math.max(a.length, b.length) > comparedMax;
  const whole = { buffer1: [0, a.length] as const, buffer2: [0, b.length] as const };
  const changes = isLong ? [whole] : diffIndices(a, b);
  const range = ([at, length]: Range): Range => [start + at, start + at + length];
  return changes.map(({ buffer1, buffer2 }) => ({ one: range(buffer1), other: range(buffer2) }));
}
