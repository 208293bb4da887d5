import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

async function start() {
  const [owner, editor] = [newUser(app), newUser(app)];
  const workspaceId = await newWorkspace(owner.call);
  const noteId = await newNote(owner.call, workspaceId, { title: 'One' });
  await join(app, { owner, workspaceId, user: editor });
  const seed = (author: User, count: number, name: string | null) =>
    app.database.query(
      `INSERT INTO versions
         (id, note_id, author_id, name, title, content, tags, begun_at, created_at, superseded_at)
       SELECT 'ver_' || n || $2, $1, $2, $4, 'Title', '', '{}', at, at, now()
       FROM generate_series(1, $3::integer) AS n, LATERAL (SELECT now() - interval '1 hour' AS at)`,
      [noteId, author.id, count, name],
    );
  const change = (author: User, title: string) =>
    author.call('PATCH', `/api/notes/${noteId}`, { title }, { 'if-match': '*' });
  const pause = () =>
    app.database.query(
      `UPDATE versions SET begun_at = begun_at - interval '6 minutes' WHERE note_id = $1`,
      [noteId],
    );
  const count = (authorId: string) =>
    app.database.prisma.version.count({ where: { noteId, authorId } });
  const counts = async () => [await count(owner.id), await count(editor.id)];
  return { owner, editor, noteId, seed, change, counts, pause };
}

test('an author pushes out only their own versions, the oldest unnamed one first', async () => {
  const { owner, editor, noteId, seed, change, counts } = await start();
  await seed(owner, 190, null);
  await seed(editor, 199, 'Flood');
  for (const title of ['Two', 'Three', 'Four']) {
    await change(editor, title);
    await editor.call('POST', `/api/notes/${noteId}/versions`, { name: 'Flood' });
  }
  expect(await counts()).toEqual([191, 200]);
});

test('two who take turns have one version each within five minutes, with what they saved last', async () => {
  const { owner, editor, noteId, change, counts, pause } = await start();
  for (let turn = 1; turn <= 5; turn += 1) {
    await change(editor, `Editor ${turn}`);
    await change(owner, `Owner ${turn}`);
  }
  // The same text again is nobody's change.
  await change(editor, 'Owner 5');
  expect(await counts()).toEqual([1, 1]);
  const versions = async () =>
    (await owner.call('GET', `/api/notes/${noteId}/versions`)).body['data'];
  expect(await versions()).toMatchObject([
    { title: 'Owner 5', authorId: owner.id, isCurrent: true },
    { title: 'Editor 5', authorId: editor.id, isCurrent: false },
  ]);
  await change(editor, 'Editor 6');
  expect(await versions()).toMatchObject([
    { title: 'Editor 6', authorId: editor.id, isCurrent: true },
    { title: 'Owner 5', authorId: owner.id, isCurrent: false },
  ]);
  // However often they take turns, a version ends five minutes after it was begun.
  await pause();
  await change(owner, 'Owner 7');
  expect(await counts()).toEqual([2, 1]);
});

describe('of an author who continues after another one', () => {
  async function contentsAfter(...written: string[]) {
    const { owner, editor, noteId } = await start();
    for (const [at, content] of written.entries()) {
      const { call } = at % 2 === 0 ? editor : owner;
      await call('PATCH', `/api/notes/${noteId}`, { content }, { 'if-match': '*' });
    }
    const { data } = (await owner.call('GET', `/api/notes/${noteId}/versions`)).body;
    const ids = (data as { id: string }[]).map(({ id }) => id);
    const read = (id: string) => owner.call('GET', `/api/notes/${noteId}/versions/${id}`);
    return (await Promise.all(ids.map(read))).map(({ body }) => body['content']);
  }

  test.each(['Tern', 'Gulls at the pier and tern'])(
    'the text stays in the history when the other one has removed words of it: %s',
    async (replaced) => {
      const continued = `${replaced}, grey`;
      const contents = await contentsAfter('Heron and tern', replaced, continued);
      expect(contents).toEqual([continued, replaced, 'Heron and tern']);
    },
  );

  test.each(['A heron', 'he and a heron', 'herons'])(
    'there is one version when the other one has only inserted text: %s',
    async (inserted) => {
      const contents = await contentsAfter('heron', inserted, `${inserted}, grey`);
      expect(contents).toEqual([`${inserted}, grey`, inserted]);
    },
  );
});

test('a version that another one restores ends those that were begun', async () => {
  const { owner, editor, noteId, change, counts } = await start();
  const path = `/api/notes/${noteId}`;
  await change(editor, 'Heron');
  const { data } = (await owner.call('GET', `${path}/versions`)).body;
  const [, first] = data as { id: string }[];
  const match = { 'if-match': '*' };
  await owner.call('POST', `${path}/versions/${first?.id}/restore`, undefined, match);
  await change(editor, 'Heron, grey');
  const listed = (await owner.call('GET', `${path}/versions`)).body['data'];
  expect(listed).toMatchObject(['Heron, grey', 'One', 'Heron', 'One'].map((title) => ({ title })));
  expect(await counts()).toEqual([2, 2]);
});

test('a version that is being named keeps its text', async () => {
  const { owner, noteId, change } = await start();
  const { DATABASE_URL = '' } = app.workerEnvironment();
  await withClient(DATABASE_URL, async (other) => {
    await other.query('BEGIN');
    await other.query(`UPDATE versions SET name = 'Sent' WHERE note_id = $1`, [noteId]);
    const changed = change(owner, 'Two');
    await until(async () => (await app.database.query(FIND_BLOCKED)).length > 0);
    await other.query('COMMIT');
    await changed;
  });
  const { data } = (await owner.call('GET', `/api/notes/${noteId}/versions`)).body;
  expect(data).toMatchObject([
    { title: 'Two', name: null },
    { title: 'One', name: 'Sent' },
  ]);
});
