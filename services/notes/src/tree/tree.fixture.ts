import type { TreeNote } from '@atrium/contracts/notes/tree';
import { newUser } from '../invitations/invitations.fixture.ts';
import { type Caller, newNote, newWorkspace, type TestApp } from '../test-app.ts';

/** A user with a workspace. */
export async function startTree(app: TestApp) {
  const user = newUser(app, { plan: 'pro' });
  const workspaceId = await newWorkspace(user.call);
  const add = (title: string, parentId?: string) =>
    newNote(user.call, workspaceId, { title, ...(parentId && { parentId }) });
  const place = (id: string, parentId: string | null, after?: string | null) =>
    user.call('POST', `/api/notes/${id}/place`, {
      parentId,
      ...(after !== undefined && { after }),
    });
  const outline = () => outlineOf(user.call, workspaceId);
  const remove = (id: string) => user.call('DELETE', `/api/notes/${id}`);
  const restore = (id: string) => user.call('POST', `/api/notes/${id}/restore`);
  return { user, call: user.call, workspaceId, add, place, outline, remove, restore };
}

export async function levelOf(
  call: Caller,
  workspaceId: string,
  parentId?: string,
): Promise<TreeNote[]> {
  const query = parentId === undefined ? '' : `&parentId=${parentId}`;
  const { body } = await call('GET', `/api/workspaces/${workspaceId}/tree?limit=100${query}`);
  return body['data'] as TreeNote[];
}

/** The titles of a tree in order, such as `A(B C(D))`. */
export async function outlineOf(
  call: Caller,
  workspaceId: string,
  parentId?: string,
): Promise<string> {
  const parts: string[] = [];
  for (const { id, title, hasChildren } of await levelOf(call, workspaceId, parentId)) {
    parts.push(hasChildren ? `${title}(${await outlineOf(call, workspaceId, id)})` : title);
  }
  return parts.join(' ');
}
