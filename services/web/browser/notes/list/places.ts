import type { NoteSummary } from '@atrium/client';

/**
 * Where notes are whose title is that of other notes in the list, too.
 *
 * @returns the titles above them, as far as the list has them, by the id of the note
 */
export function placesOf(notes: readonly NoteSummary[]): ReadonlyMap<string, string> {
  const byId = new Map(notes.map((note) => [note.id, note]));
  const alike = [...Map.groupBy(notes, ({ title }) => title).values()].filter(
    ({ length }) => length > 1,
  );
  const paths = alike.flat().map((note) => [note.id, pathOf(note, byId)] as const);
  return new Map(paths.filter(([, path]) => path !== ''));
}

function pathOf(note: NoteSummary, byId: ReadonlyMap<string, NoteSummary>): string {
  const above = new Set<NoteSummary>();
  let parent = byId.get(note.parentId ?? '');
  // Pages of the list that were loaded before and after a move may have notes above each other.
  while (parent !== undefined && !above.has(parent)) {
    above.add(parent);
    parent = byId.get(parent.parentId ?? '');
  }
  return [...above]
    .map(({ title }) => title)
    .reverse()
    .join(' / ');
}
