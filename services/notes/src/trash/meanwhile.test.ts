import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUser } from '../invitations/invitations.fixture.ts';
import { type Answer, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { createTrashStore } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

async function start() {
  const { id: accountId, call } = newUser(app);
  const workspaceId = await newWorkspace(call);
  const trashPath = `/api/workspaces/${workspaceId}/trash`;
  return { accountId, call, workspaceId, trashPath };
}

/** Sends a request that waits for the first of the statements of another transaction; the others follow then. */
async function whileRunning(
  [first, ...others]: [text: string, values?: string[]][],
  send: () => Promise<Answer>,
): Promise<Answer> {
  const { DATABASE_URL = '' } = app.workerEnvironment();
  return withClient(DATABASE_URL, async (other) => {
    await other.query('BEGIN');
    if (first !== undefined) await other.query(...first);
    const sent = send();
    await until(async () => (await app.database.query(FIND_BLOCKED)).length > 0);
    for (const statement of others) await other.query(...statement);
    await other.query('COMMIT');
    return sent;
  });
}

test('a note that is restored while it is to be deleted for good stays', async () => {
  const { call, workspaceId, trashPath } = await start();
  const id = await newNote(call, workspaceId, { title: 'Heron' });
  await call('DELETE', `/api/notes/${id}`);
  const answer = await whileRunning(
    [['UPDATE notes SET deleted_at = NULL WHERE id = $1', [id]]],
    () => call('DELETE', `${trashPath}/${id}`),
  );
  expect(answer.status).toBe(404);
  expect((await call('GET', `/api/notes/${id}`)).body['title']).toBe('Heron');
});

test('emptying the trash leaves what is deleted afterwards', async () => {
  const { call, workspaceId, trashPath } = await start();
  const before = await newNote(call, workspaceId, { title: 'Before' });
  const after = await newNote(call, workspaceId, { title: 'After' });
  await call('DELETE', `/api/notes/${before}`);
  const answer = await whileRunning(
    [
      ['LOCK TABLE notes IN EXCLUSIVE MODE'],
      ['UPDATE notes SET deleted_at = clock_timestamp() WHERE id = $1', [after]],
    ],
    () => call('DELETE', trashPath),
  );
  expect(answer.status).toBe(204);
  expect((await call('GET', trashPath)).body['data']).toMatchObject([{ title: 'After' }]);
});

test('notes with many versions are erased one by one, so that others are saved in between', async () => {
  const { accountId, call, workspaceId } = await start();
  const ids: string[] = [];
  for (const title of ['One', 'Two']) ids.push(await newNote(call, workspaceId, { title }));
  await app.database.query(
    `INSERT INTO versions (id, note_id, title, content, tags, begun_at, created_at, superseded_at)
     SELECT 'ver_' || n || id, id, '', '', '{}', now(), now(), now()
     FROM unnest($1::text[]) AS id, generate_series(1, 1000) AS n`,
    [ids],
  );
  for (const id of ids) await call('DELETE', `/api/notes/${id}`);
  const eraseSome = await createTrashStore(app.database, String).beginEmptying(
    workspaceId,
    accountId,
  );
  expect([await eraseSome(), await eraseSome(), await eraseSome()]).toEqual([1, 1, 0]);
});
