import { detachUnused, eraseDetached } from '../attachments/purge.ts';
import { newUser } from '../invitations/invitations.fixture.ts';
import { type Caller, newWorkspace, type TestApp } from '../test-app.ts';

/** A user with two workspaces. */
export async function startMoving(app: TestApp) {
  const user = newUser(app, { plan: 'pro' });
  const [from, to] = [await newWorkspace(user.call, 'From'), await newWorkspace(user.call, 'To')];
  const move = (id: string, workspaceId = to, headers = {}) =>
    user.call('POST', `/api/notes/${id}/move`, { workspaceId }, headers);
  const copy = (id: string, body: object = { workspaceId: to }, headers = {}) =>
    user.call('POST', `/api/notes/${id}/copy`, body, headers);
  return { user, call: user.call, from, to, move, copy };
}

/** Attaches a file that has the text. */
export async function attach(call: Caller, workspaceId: string, text: string) {
  const path = `/api/workspaces/${workspaceId}/attachments?name=a.json`;
  const { body } = await call('POST', path, { text });
  return { id: String(body['id']), path: String(body['path']) };
}

export async function titles(call: Caller, path: string): Promise<unknown[]> {
  const { body } = await call('GET', path);
  return ((body['data'] ?? body['results']) as { title: string }[]).map(({ title }) => title);
}

export const noteCounts = async (call: Caller, ...ids: string[]) =>
  Promise.all(
    ids.map(async (id) => (await call('GET', `/api/workspaces/${id}`)).body['noteCount']),
  );

/** As if the job that looks for unused files had run for nine days. */
export async function purgeFiles(app: TestApp): Promise<void> {
  for (const age of ['25 hours', '8 days']) {
    await app.database.query(
      `UPDATE attachment_workspaces SET checked_at = checked_at - $1::interval,
         unused_since = unused_since - $1::interval`,
      [age],
    );
    await detachUnused(app);
  }
  await eraseDetached(app);
}
