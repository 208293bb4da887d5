import { atrium } from '../../session/atrium.ts';

/** Several notes may have the same title. */
const ASKED = 30;
const OFFERED = 8;

/** The titles of a workspace that have the words typed; none while the service cannot be asked. */
export async function findTitles(workspaceId: string, typed: string): Promise<string[]> {
  try {
    const query = { q: typed, workspace: workspaceId, limit: ASKED };
    const { data } = await atrium.notes.searchTitles(query);
    return [...new Set(data.map(({ title }) => title))].slice(0, OFFERED);
  } catch {
    return [];
  }
}
