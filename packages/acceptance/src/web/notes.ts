import type { Person } from '../accounts.ts';
import { call, text } from '../client.ts';

/** Sends a request of a person to the notes service. */
export const callNotes = (
  notesUrl: string,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
) =>
  call(method, `${notesUrl}${path}`, {
    token: person.accessToken,
    headers: { 'if-match': '*' },
    ...(body !== undefined && { body }),
  });

/** A workspace with notes, made without the pages. @returns their ids, the workspace's first */
export async function createNotes(
  notesUrl: string,
  person: Person,
  name: string,
  notes: { title: string; content?: string; tags?: string[]; pinned?: boolean }[],
): Promise<string[]> {
  const { body: workspace } = await callNotes(notesUrl, person, 'POST', '/api/workspaces', {
    name,
  });
  const ids = [text(workspace, 'id')];
  for (const note of notes) {
    const { body } = await callNotes(
      notesUrl,
      person,
      'POST',
      `/api/workspaces/${ids[0]}/notes`,
      note,
    );
    ids.push(text(body, 'id'));
  }
  return ids;
}
