import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start() {
  const [owner, editor] = [newUser(app), newUser(app)];
  const workspaceId = await newWorkspace(owner.call);
  const noteId = await newNote(owner.call, workspaceId, { title: 'One' });
  await join(app, { owner, workspaceId, user: editor });
  const path = `/api/notes/${noteId}`;
  const change = (title: string) => editor.call('PATCH', path, { title }, { 'if-match': '*' });
  const name = (headers?: Record<string, string>) =>
    owner.call('POST', `${path}/versions`, { name: 'Sent' }, headers);
  return { owner, workspaceId, path, change, name };
}

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

test('naming a version needs the entity tag that was read, if one is given', async () => {
  const { owner, path, change, name } = await start();
  await change('Two');
  expect(await name({ 'if-match': '"1"' })).toMatchObject({ status: 412 });
  const { etag } = (await owner.call('GET', path)).headers;
  expect(await name({ 'if-match': String(etag) })).toMatchObject({ body: { title: 'Two' } });
});

test('a version is named once the change that is under way has ended', async () => {
  const { workspaceId, change, name } = await start();
  const { DATABASE_URL = '' } = app.workerEnvironment();
  const answers = await withClient(DATABASE_URL, async (other) => {
    const isBlocked = async (count: number) =>
      (await app.database.query(FIND_BLOCKED)).length === count;
    await other.query('BEGIN');
    await other.query('SELECT FROM workspace_storage WHERE workspace_id = $1 FOR UPDATE', [
      workspaceId,
    ]);
    const changed = change('Two');
    await until(() => isBlocked(1));
    const named = [name(), name({ 'if-match': '"1"' })];
    await until(() => isBlocked(3));
    await other.query('COMMIT');
    return Promise.all([changed, ...named]);
  });
  expect(answers).toMatchObject([
    { status: 200 },
    { status: 200, body: { title: 'Two', name: 'Sent', isCurrent: true } },
    { status: 412 },
  ]);
});
