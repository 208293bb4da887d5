/** A parsed `If-Match` header (RFC 9110 section 13.1.1). */
export type Precondition =
  | { kind: 'none' }
  | { kind: 'any' }
  | { kind: 'versions'; versions: number[] };

/** The strong validator of a note: its version in quotes. */
export function entityTag(version: number): string {
  return `"${version}"`;
}

const STRONG_TAG = /^"([1-9]\d{0,8})"$/;

/**
 * Weak and unknown tags match no version: If-Match compares strongly, so they lead to 412 and not
 * to a lost update.
 */
export function readIfMatch(header: string | undefined): Precondition {
  if (header === undefined) return { kind: 'none' };
  if (header.trim() === '*') return { kind: 'any' };
  const versions = header
    .split(',')
    .map((tag) => STRONG_TAG.exec(tag.trim())?.[1])
    .filter((version) => version !== undefined)
    .map(Number);
  return { kind: 'versions', versions };
}

/** For a condition in SQL; null accepts any version. */
export function acceptedVersions(precondition: Precondition): number[] | null {
  return precondition.kind === 'versions' ? precondition.versions : null;
}

export function accepts(precondition: Precondition, version: number): boolean {
  return acceptedVersions(precondition)?.includes(version) ?? true;
}
