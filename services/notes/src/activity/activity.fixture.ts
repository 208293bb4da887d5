import { newUser, type User } from '../invitations/invitations.fixture.ts';
import { newWorkspace, type TestApp } from '../test-app.ts';

export const ANY_VERSION = { 'if-match': '*' };

/** A workspace, what its owner reads of its activity, and a member's change of a note. */
export async function startActivity(app: TestApp) {
  const ada = newUser(app, { plan: 'pro' });
  const workspaceId = await newWorkspace(ada.call, 'Garden');
  const path = `/api/workspaces/${workspaceId}`;
  const list = async (query = '') => (await ada.call('GET', `${path}/activity${query}`)).body;
  const read = async () => (await list())['data'] as Record<string, unknown>[];
  const change = ({ call }: User, noteId: string, body: object) =>
    call('PATCH', `/api/notes/${noteId}`, body, ANY_VERSION);
  return { ada, workspaceId, path, list, read, change };
}
