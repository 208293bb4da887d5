import { expect } from 'vitest';
import type { Person } from '../accounts.ts';
import type { Atrium } from '../atrium.ts';
import { text } from '../client.ts';
import { callWithRetries } from '../retries.fixture.ts';
import { emailedPath } from './forms.ts';

/** A picture of one pixel. */
export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGP4z8DwHwAFAAH/iZk9HQAAAABJRU5ErkJggg==',
  'base64',
);

/** Sends a request of a person to the notes service, again while that is busy with other tests. */
export const callNotes = (
  notesUrl: string,
  person: Person,
  method: string,
  path: string,
  body?: unknown,
) =>
  callWithRetries(method, `${notesUrl}${path}`, {
    token: person.accessToken,
    headers: { 'if-match': '*' },
    ...(body !== undefined && { body }),
  });

/** Invites a person to a workspace, who accepts. */
export async function addMember(
  atrium: Atrium,
  owner: Person,
  workspaceId: string,
  { person, role }: { person: Person; role: 'editor' | 'viewer' },
): Promise<void> {
  const path = `/api/workspaces/${workspaceId}/invitations`;
  await callNotes(atrium.urls.notes, owner, 'POST', path, { email: person.email, role });
  await acceptInvitation(atrium, person);
}

/** Accepts the invitation that the person was sent. */
export async function acceptInvitation({ urls, mailbox }: Atrium, person: Person): Promise<void> {
  const path = await emailedPath(mailbox, person.email, 'invitations');
  const { status } = await callNotes(urls.notes, person, 'POST', `/api${path}/accept`);
  expect(status).toBe(200);
}

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
