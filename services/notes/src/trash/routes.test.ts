import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { purgeTrash } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start() {
  const call = app.as();
  const workspaceId = await newWorkspace(call);
  const trashPath = `/api/workspaces/${workspaceId}/trash`;
  const noteCount = async () =>
    (await call('GET', `/api/workspaces/${workspaceId}`)).body['noteCount'];
  const find = async (q: string) => (await call('GET', `/api/search?q=${q}`)).body['total'];
  const trash = async () => (await call('GET', trashPath)).body['data'];
  const newTrashed = async (note: object) => {
    const id = await newNote(call, workspaceId, note);
    await call('DELETE', `/api/notes/${id}`);
    return id;
  };
  return { call, workspaceId, trashPath, noteCount, find, trash, newTrashed };
}

const MISSING = { status: 404, body: { error: 'Not Found', message: 'Note not found' } };

/** As if the notes in the trash had been deleted so long ago. */
function age(workspaceId: string, interval: string) {
  return app.database.query(
    'UPDATE notes SET deleted_at = now() - $2::interval WHERE workspace_id = $1 AND deleted_at IS NOT NULL',
    [workspaceId, interval],
  );
}

describe('a deleted note', () => {
  test('is in the trash only: not readable, counted, listed, found or shared', async () => {
    const { call, workspaceId, noteCount, find, trash } = await start();
    const id = await newNote(call, workspaceId, {
      title: 'Heron',
      content: 'Grey',
      tags: ['bird'],
    });
    const path = `/api/notes/${id}`;
    const { url } = (await call('POST', `${path}/share`)).body;
    expect((await call('DELETE', path)).status).toBe(204);
    const [entry] = (await trash()) as Record<string, string>[];
    expect(entry).toMatchObject({ id, workspaceId, title: 'Heron', tags: ['bird'] });
    const { deletedAt = '', purgedAt = '' } = entry ?? {};
    expect(Date.parse(purgedAt) - Date.parse(deletedAt)).toBe(30 * 86_400_000);
    expect([await noteCount(), await find('heron')]).toEqual([0, 0]);
    const list = await call('GET', `/api/workspaces/${workspaceId}/notes`);
    expect(list.body['data']).toEqual([]);
    const ifMatch = { 'if-match': '*' };
    expect(await call('GET', path)).toMatchObject(MISSING);
    expect(await call('PATCH', path, { title: 'X' }, ifMatch)).toMatchObject(MISSING);
    expect(await call('DELETE', path)).toMatchObject(MISSING);
    expect(await call('POST', `${path}/share`)).toMatchObject(MISSING);
    expect(await call('DELETE', `${path}/share`)).toMatchObject(MISSING);
    expect((await app.server.inject(new URL(String(url)).pathname)).statusCode).toBe(404);
  });

  test('is as it was once it is restored, and restored only once', async () => {
    const { call, workspaceId, noteCount, find, trash } = await start();
    const id = await newNote(call, workspaceId, { title: 'Heron', content: 'Grey', pinned: true });
    const before = await call('GET', `/api/notes/${id}`);
    await call('DELETE', `/api/notes/${id}`);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => call('POST', `/api/notes/${id}/restore`)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 404, 404, 404,
    ]);
    const after = await call('GET', `/api/notes/${id}`);
    expect([after.body, after.headers['etag']]).toEqual([before.body, before.headers['etag']]);
    expect(answers.find(({ status }) => status === 200)?.body).toEqual(before.body);
    expect([await noteCount(), await find('grey'), await trash()]).toEqual([1, 1, []]);
  });

  test('is purged after 30 days, and not before', async () => {
    const { call, workspaceId, trash, newTrashed } = await start();
    const id = await newTrashed({ title: 'Old' });
    await age(workspaceId, '29 days 23 hours');
    await purgeTrash(app.database);
    expect(await trash()).toMatchObject([{ id }]);
    await age(workspaceId, '30 days 1 second');
    await purgeTrash(app.database);
    expect(await trash()).toEqual([]);
    expect((await call('POST', `/api/notes/${id}/restore`)).status).toBe(404);
  });
});

describe('the trash of a workspace', () => {
  test('is listed in pages, the latest deletion first', async () => {
    const { call, trashPath, newTrashed } = await start();
    const ids: string[] = [];
    for (const title of ['a', 'b', 'c']) ids.unshift(await newTrashed({ title }));
    const first = await call('GET', `${trashPath}?limit=2`);
    expect(first.body['data']).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
    const rest = await call('GET', `${trashPath}?cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ data: [{ id: ids[2] }], nextCursor: null });
    expect((await call('GET', `${trashPath}?cursor=WzEsMl0`)).status).toBe(422);
  });

  test('is emptied without the notes that are not in it', async () => {
    const { call, workspaceId, trashPath, trash, noteCount, newTrashed } = await start();
    const kept = await newNote(call, workspaceId, { title: 'Kept' });
    const gone = await newTrashed({ title: 'Gone' });
    expect((await call('DELETE', trashPath)).status).toBe(204);
    expect([await trash(), await noteCount()]).toEqual([[], 1]);
    expect((await call('POST', `/api/notes/${gone}/restore`)).status).toBe(404);
    expect((await call('GET', `/api/notes/${kept}`)).status).toBe(200);
  });

  test('does not count against the limit of the plan, but restoring does', async () => {
    const { call, workspaceId, noteCount, newTrashed } = await start();
    const trashed = await newTrashed({ title: 'Trashed' });
    const path = `/api/workspaces/${workspaceId}/notes`;
    const created = await Promise.all(
      Array.from({ length: 100 }, () => call('POST', path, { title: 'N' })),
    );
    expect(new Set(created.map(({ status }) => status))).toEqual(new Set([201]));
    expect(await call('POST', `/api/notes/${trashed}/restore`)).toMatchObject({
      status: 403,
      body: { error: 'Plan Limit Exceeded' },
    });
    expect(await noteCount()).toBe(100);
  });

  test('is listed with the trash of the other workspaces, by pages', async () => {
    const { call, workspaceId, newTrashed } = await start();
    const other = await newWorkspace(call);
    const first = await newTrashed({ title: 'First' });
    const second = await newNote(call, other, { title: 'Second' });
    await call('DELETE', `/api/notes/${second}`);
    const third = await newTrashed({ title: 'Third' });
    await newNote(call, workspaceId, { title: 'Kept' });
    const page = await call('GET', '/api/trash?limit=2');
    expect(page.body['data']).toMatchObject([{ id: third }, { id: second, workspaceId: other }]);
    const rest = await call('GET', `/api/trash?cursor=${String(page.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ data: [{ id: first }], nextCursor: null });
    expect((await app.as()('GET', '/api/trash')).body['data']).toEqual([]);
  });

  test('loses one note for good, with its versions, and only one that is in it', async () => {
    const { call, workspaceId, trashPath, trash, newTrashed } = await start();
    const kept = await newTrashed({ title: 'Kept' });
    const gone = await newTrashed({ title: 'Gone' });
    const live = await newNote(call, workspaceId, { title: 'Live' });
    const remove = async (id: string) => (await call('DELETE', `${trashPath}/${id}`)).status;
    expect([await remove(gone), await remove(gone), await remove(live)]).toEqual([204, 404, 404]);
    expect(await trash()).toMatchObject([{ id: kept }]);
    expect(await app.database.prisma.version.count({ where: { noteId: gone } })).toBe(0);
    expect((await call('GET', `/api/notes/${live}`)).status).toBe(200);
  });

  test('holds as many notes that its owner has deleted as the plan says: the oldest goes first', async () => {
    const { call, workspaceId, trash, newTrashed } = await start();
    const first = await newTrashed({ title: 'First' });
    await app.database.query(
      `INSERT INTO notes (id, workspace_id, title, deleted_at, deleted_by_owner)
       SELECT $1 || n, $1, 'Seeded', now(), true FROM generate_series(1, 198) AS n`,
      [workspaceId],
    );
    const last = await newTrashed({ title: 'Last' });
    const trashed = { workspaceId, deletedAt: { not: null } };
    expect(await app.database.prisma.note.count({ where: trashed })).toBe(200);
    const next = await newTrashed({ title: 'Next' });
    expect(await app.database.prisma.note.count({ where: trashed })).toBe(200);
    expect(await app.database.prisma.version.count({ where: { noteId: first } })).toBe(0);
    expect((await call('POST', `/api/notes/${first}/restore`)).status).toBe(404);
    expect(((await trash()) as object[]).slice(0, 2)).toMatchObject([{ id: next }, { id: last }]);
  });

  test('has a share for editors: once it is full they delete nothing more, and the owner pushes nothing out of it', async () => {
    const owner = newUser(app, { plan: 'free' });
    const editor = newUser(app);
    const workspaceId = await newWorkspace(owner.call);
    await join(app, { owner, workspaceId, user: editor });
    const of = { workspaceId, deletedAt: { not: null } };
    await app.database.query(
      `INSERT INTO notes (id, workspace_id, title, deleted_at)
       SELECT $1 || n, $1, 'Seeded', now() FROM generate_series(1, 199) AS n`,
      [workspaceId],
    );
    const paths: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      paths.push(`/api/notes/${await newNote(editor.call, workspaceId, { title: 'Ferns' })}`);
    }
    const answers = await Promise.all(paths.map((path) => editor.call('DELETE', path)));
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const message =
      'Editors have deleted 200 notes of this workspace, and only the owner can empty the trash';
    const refused = { status: 403, body: { error: 'Plan Limit Exceeded', message } };
    expect(answers.filter(({ status }) => status !== 204)).toMatchObject(Array(7).fill(refused));
    expect(await app.database.prisma.note.count({ where: of })).toBe(200);
    const kept = paths.find((_, n) => answers[n]?.status === 403) ?? '';
    expect((await editor.call('GET', kept)).status).toBe(200);
    const stale = await editor.call('DELETE', kept, undefined, { 'if-match': '"9"' });
    expect(stale.status).toBe(412);
    expect((await owner.call('DELETE', kept)).status).toBe(204);
    expect(await app.database.prisma.note.count({ where: of })).toBe(201);
  });

  test('keeps what its owner has deleted, whatever editors delete', async () => {
    const [owner, editor] = [newUser(app, { plan: 'free' }), newUser(app)];
    const workspaceId = await newWorkspace(owner.call);
    await join(app, { owner, workspaceId, user: editor });
    const remove = async (user: User) => {
      const id = await newNote(owner.call, workspaceId, { title: 'Moss' });
      await user.call('DELETE', `/api/notes/${id}`);
      return id;
    };
    const first = await remove(owner);
    await app.database.query(
      `INSERT INTO notes (id, workspace_id, title, deleted_at)
       SELECT $1 || n, $1, 'Seeded', now() FROM generate_series(1, 198) AS n`,
      [workspaceId],
    );
    await remove(editor);
    await remove(owner);
    expect((await owner.call('POST', `/api/notes/${first}/restore`)).status).toBe(200);
  });

  test('is missing for another account', async () => {
    const { trashPath, newTrashed } = await start();
    const id = await newTrashed({ title: 'T' });
    const other = app.as();
    const missing = { status: 404, body: { message: 'Workspace not found' } };
    expect(await other('GET', trashPath)).toMatchObject(missing);
    expect(await other('DELETE', trashPath)).toMatchObject(missing);
    expect(await other('POST', `/api/notes/${id}/restore`)).toMatchObject(MISSING);
  });
});
