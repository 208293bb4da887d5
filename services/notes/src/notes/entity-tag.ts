/** What `If-Match` asks for (RFC 9110 section 13.1.1). */
export type Precondition =
  | { kind: 'none' }
  | { kind: 'any' }
  | { kind: 'versions'; versions: number[] };

/** A note's strong validator: its version in quotes. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

const OURS = /^"([1-9]\d{0,8})"$/;

/**
 * Reads an `If-Match` header. Weak tags and tags that this service never gave match nothing:
 * If-Match compares strongly, so they end in 412, not in a lost update.
 */
export function readIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return { kind: 'none' };
  if (header.trim() === '*') return { kind: 'any' };
  const versions = header
    .split(',')
    .map((tag) => OURS.exec(tag.trim())?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
  return { kind: 'versions', versions };
}
