import { atrium } from '../../session/atrium.ts';

/** The search is in all workspaces, and a title means a note of its own one. */
const ASKED = 30;
const OFFERED = 8;

/** The titles of a workspace that have the words typed; none while the service cannot be asked. */
export async function findTitles(workspaceId: string, typed: string): Promise<string[]> {
  try {
    const { data } = await atrium.notes.searchTitles({ q: typed, limit: ASKED });
    const here = data.filter((note) => note.workspaceId === workspaceId);
    return [...new Set(here.map(({ title }) => title))].slice(0, OFFERED);
  } catch {
    return [];
  }
}
