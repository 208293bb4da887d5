import type { VersionSummary } from '@atrium/client';

/** The version that is shown, and the two that are compared, the older one first. */
export interface Selection {
  version: VersionSummary;
  /** What the URL names; the version before when it is undefined. */
  against: VersionSummary | undefined;
  from: VersionSummary;
  to: VersionSummary;
}

/**
 * What the URL chooses of the versions, newest first; the newest one by default.
 *
 * @returns null when there are none
 */
export function selectionOf(versions: readonly VersionSummary[], search: object): Selection | null {
  const named = search as Record<string, unknown>;
  const indexOf = (id: unknown) => versions.findIndex((version) => version.id === id);
  const index = Math.max(indexOf(named['version']), 0);
  const version = versions[index];
  if (version === undefined) return null;
  const against = versions[indexOf(named['against'])];
  // The oldest one is compared with itself: nothing is known of what was there before.
  const other = against ?? versions[index + 1] ?? version;
  const isNewer = versions.indexOf(other) < index;
  return { version, against, from: isNewer ? version : other, to: isNewer ? other : version };
}
