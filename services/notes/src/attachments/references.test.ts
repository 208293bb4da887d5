import { newId } from '@atrium/contracts/ids';
import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { upload } from './attachments.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test('a note is saved while another one with the same file is being saved', async () => {
  const sub = newId('usr');
  const token = app.issuer.issueToken({ sub });
  const owner = { ...newUser(app), id: sub, call: app.asToken(token) };
  const editor = newUser(app);
  const workspaceId = await newWorkspace(owner.call);
  await join(app, { owner, workspaceId, user: editor });
  const file = { token, workspaceId, name: 'map.txt', content: Buffer.from('map') };
  const { path } = (await upload(app, file)).body;
  const add = () => newNote(owner.call, workspaceId, { title: 'A', content: String(path) });
  const [first, second] = [await add(), await add()];
  const rename = ({ call }: typeof owner, id: string) =>
    call('PATCH', `/api/notes/${id}`, { title: 'B' }, { 'if-match': '*' });
  const { DATABASE_URL = '' } = app.workerEnvironment();
  await withClient(DATABASE_URL, async (other) => {
    const isBlocked = async () => (await app.database.query(FIND_BLOCKED)).length === 1;
    await other.query('BEGIN');
    await other.query('SELECT FROM workspace_storage WHERE workspace_id = $1 FOR UPDATE', [
      workspaceId,
    ]);
    // The version that the editor begins takes space.
    const saved = rename(editor, first);
    await until(isBlocked);
    expect(await rename(owner, second)).toMatchObject({ status: 200 });
    expect(await isBlocked()).toBe(true);
    await other.query('COMMIT');
    expect(await saved).toMatchObject({ status: 200 });
  });
});
