import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
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
  const seed = (author: User, count: number, name: string | null) =>
    app.database.query(
      `INSERT INTO versions (id, note_id, author_id, name, title, content, tags, created_at, superseded_at)
       SELECT 'ver_' || n || $2, $1, $2, $4, 'Title', '', '{}', now() - interval '1 hour', now()
       FROM generate_series(1, $3::integer) AS n`,
      [noteId, author.id, count, name],
    );
  const change = (title: string) =>
    editor.call('PATCH', `/api/notes/${noteId}`, { title }, { 'if-match': '*' });
  const count = (authorId: string) => app.prisma.version.count({ where: { noteId, authorId } });
  const counts = async () => [await count(owner.id), await count(editor.id)];
  return { owner, editor, noteId, seed, change, counts };
}

test('somebody with more versions of a note, also named ones, pushes out only their own', async () => {
  const { owner, editor, noteId, seed, change, counts } = await start();
  await seed(owner, 60, null);
  await seed(editor, 139, 'Flood');
  for (const title of ['Two', 'Three', 'Four']) {
    await change(title);
    await editor.call('POST', `/api/notes/${noteId}/versions`, { name: 'Flood' });
  }
  expect(await counts()).toEqual([61, 139]);
});

test('somebody with fewer versions of a note pushes out no named ones', async () => {
  const { owner, editor, seed, change, counts } = await start();
  await seed(owner, 100, 'Sent');
  await seed(editor, 50, null);
  await seed(newUser(app), 50, null);
  await change('Two');
  expect(await counts()).toEqual([100, 50]);
});
