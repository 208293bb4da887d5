import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { outlineOf, startTree } from './tree.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The tree `A(B(C D) E) F`. */
async function startBranch() {
  const tree = await startTree(app);
  const { add, call, workspaceId } = tree;
  const a = await add('A');
  const b = await add('B', a);
  const [c, d] = [await add('C', b), await add('D', b)];
  const ids = { a, b, c, d, e: await add('E', a), f: await add('F') };
  /** Each entry, with the number of notes below it. */
  const trashed = async () => {
    const { body } = await call('GET', `/api/workspaces/${workspaceId}/trash`);
    const entries = body['data'] as { title: string; notesBelow: number }[];
    return entries.map(({ title, notesBelow }) => `${title}+${notesBelow}`).toSorted();
  };
  const noteCount = async () =>
    (await call('GET', `/api/workspaces/${workspaceId}`)).body['noteCount'];
  const found = async (q: string) => (await call('GET', `/api/search?q=${q}`)).body['total'];
  const eventsOf = async (event: string) => {
    const events = await app.database.query<{ title: string }>(
      `SELECT data ->> 'title' AS title FROM outbox
       WHERE event = $2 AND data ->> 'workspaceId' = $1 ORDER BY seq`,
      [workspaceId, event],
    );
    return events.map(({ title }) => title);
  };
  const erase = (id: string) => call('DELETE', `/api/workspaces/${workspaceId}/trash/${id}`);
  return { ...tree, ids, trashed, noteCount, found, eventsOf, erase };
}

describe('a deleted note', () => {
  test('takes all below it to the trash as one entry, with an event for each', async () => {
    const { ids, remove, outline, trashed, noteCount, found, eventsOf, call } = await startBranch();
    expect((await remove(ids.a)).status).toBe(204);
    expect(await outline()).toBe('F');
    expect(await trashed()).toEqual(['A+4']);
    expect([await noteCount(), await found('d'), await found('f')]).toEqual([1, 0, 1]);
    expect((await call('GET', `/api/notes/${ids.c}`)).status).toBe(404);
    expect(await eventsOf('note.deleted')).toEqual(['A', 'B', 'E', 'C', 'D']);
  });

  test('comes back as a whole, to its place, without what was deleted before on its own', async () => {
    const { ids, remove, restore, outline, trashed, noteCount, found } = await startBranch();
    await remove(ids.c);
    await remove(ids.a);
    expect(await restore(ids.a)).toMatchObject({ status: 200, body: { id: ids.a } });
    expect(await outline()).toBe('A(B(D) E) F');
    expect(await trashed()).toEqual(['C+0']);
    expect([await noteCount(), await found('d')]).toEqual([5, 1]);
    expect((await restore(ids.c)).body['parentId']).toBe(ids.b);
    expect(await outline()).toBe('A(B(C D) E) F');
  });

  test('comes back with an event and an entry of the activity for each, whatever a relay holds', async () => {
    const { call, workspaceId, ids, remove, restore, eventsOf } = await startBranch();
    await call('PATCH', `/api/notes/${ids.e}`, { tags: ['x'] }, { 'if-match': '*' });
    await remove(ids.a);
    await app.database.query(
      `UPDATE outbox SET due_at = due_at - interval '2 min', created_at = created_at - interval '2 min',
         leased_until = now() + interval '30 s'
       WHERE event = 'note.updated' AND data ->> 'noteId' = $1`,
      [ids.e],
    );
    await restore(ids.a);
    expect((await eventsOf('note.updated')).toSorted()).toEqual(['A', 'B', 'C', 'D', 'E', 'E']);
    const { data } = (await call('GET', `/api/workspaces/${workspaceId}/activity`)).body;
    const entries = data as { kind: string; title: string }[];
    const titlesOf = (kind: string) =>
      entries.filter((entry) => entry.kind === kind).map(({ title }) => title);
    expect(titlesOf('note.deleted')).toEqual(['D', 'C', 'E', 'B', 'A']);
    expect(titlesOf('note.restored')).toEqual(['D', 'C', 'E', 'B', 'A']);
  });

  test('is found again with all below it, however long their texts are', async () => {
    const { call, workspaceId, add, remove, restore, found } = await startBranch();
    const parentId = await add('Birds');
    for (const title of ['1', '2', '3', '4', '5', '6']) {
      const note = { title, content: 'heron '.repeat(20_000), parentId };
      await newNote(call, workspaceId, note);
    }
    await remove(parentId);
    expect(await found('heron')).toBe(0);
    await restore(parentId);
    expect(await found('heron')).toBe(6);
  });

  test('comes back alone with its own part of the tree, to the first level', async () => {
    const { ids, remove, restore, outline, trashed } = await startBranch();
    await remove(ids.a);
    expect((await restore(ids.b)).body['parentId']).toBeNull();
    expect(await outline()).toBe('F B(C D)');
    expect(await trashed()).toEqual(['A+1']);
    await restore(ids.a);
    expect(await outline()).toBe('A(E) F B(C D)');
  });

  test('comes back to the first level when its former parent is too deep by now, or elsewhere', async () => {
    const { call, ids, add, place, remove, restore, outline } = await startBranch();
    await remove(ids.b);
    let above = await add('2');
    const top = above;
    for (let level = 3; level <= 9; level += 1) above = await add(String(level), above);
    await place(ids.a, above);
    expect((await restore(ids.b)).body['parentId']).toBeNull();
    await remove(ids.e);
    const to = await newWorkspace(call);
    await call('POST', `/api/notes/${top}/move`, { workspaceId: to });
    expect((await restore(ids.e)).body['parentId']).toBeNull();
    expect(await outline()).toBe('F B(C D) E');
  });

  test('is erased with those that went with it', async () => {
    const { ids, remove, erase, restore, trashed } = await startBranch();
    await remove(ids.c);
    await remove(ids.a);
    expect((await erase(ids.b)).status).toBe(204);
    expect(await trashed()).toEqual(['A+1', 'C+0']);
    expect((await erase(ids.d)).status).toBe(404);
    expect((await restore(ids.c)).body['parentId']).toBeNull();
    // As if the trash had been trimmed in between: what is left of a branch is still there.
    await app.database.query('UPDATE notes SET parent_id = NULL WHERE id = $1', [ids.e]);
    expect(await trashed()).toEqual(['A+0', 'E+0']);
    expect((await erase(ids.e)).status).toBe(204);
    expect((await erase(ids.a)).status).toBe(204);
    expect(await trashed()).toEqual([]);
  });

  test('stays, with all below it, when it has changed since it was read', async () => {
    const { call, ids, outline } = await startBranch();
    const stale = { 'if-match': '"9"' };
    expect((await call('DELETE', `/api/notes/${ids.a}`, undefined, stale)).status).toBe(412);
    expect(await outline()).toBe('A(B(C D) E) F');
  });

  test('of an editor stays when those below it do not fit in the trash', async () => {
    const owner = newUser(app, { plan: 'free' });
    const editor = newUser(app);
    const workspaceId = await newWorkspace(owner.call);
    await join(app, { owner, workspaceId, user: editor });
    await app.database.query(
      `INSERT INTO notes (id, workspace_id, title, deleted_at)
       SELECT $1 || n, $1, 'Seeded', now() FROM generate_series(1, 199) AS n`,
      [workspaceId],
    );
    const parentId = await newNote(editor.call, workspaceId, { title: 'A' });
    await newNote(editor.call, workspaceId, { title: 'B', parentId });
    const path = `/api/notes/${parentId}`;
    expect((await editor.call('DELETE', path)).headers['error-code']).toBe('trash-full');
    expect(await outlineOf(owner.call, workspaceId)).toBe('A(B)');
    expect((await owner.call('DELETE', path)).status).toBe(204);
  });

  test('of the owner stays when it has more below it than the trash holds, or else some went for good', async () => {
    const { call } = newUser(app, { plan: 'free' });
    const workspaceId = await newWorkspace(call);
    const parentId = await newNote(call, workspaceId, { title: 'A' });
    await app.database.query(
      `INSERT INTO notes (id, workspace_id, title, parent_id, position)
       SELECT $1 || n, $1, 'Seeded', $2, n FROM generate_series(1, 200) AS n`,
      [workspaceId, parentId],
    );
    await app.database.query('UPDATE workspaces SET note_count = 201 WHERE id = $1', [workspaceId]);
    const count = () => app.database.prisma.note.count({ where: { workspaceId } });
    const refused = await call('DELETE', `/api/notes/${parentId}`);
    expect(refused.headers['error-code']).toBe('trash-full');
    expect([(await call('GET', `/api/notes/${parentId}`)).status, await count()]).toEqual([
      200, 201,
    ]);
    await call('DELETE', `/api/notes/${workspaceId}1`);
    expect((await call('DELETE', `/api/notes/${parentId}`)).status).toBe(204);
    expect(await count()).toBe(200);
  });

  test('comes back only when the workspace has space for all of it', async () => {
    const owner = newUser(app, { plan: 'free' });
    const workspaceId = await newWorkspace(owner.call);
    const parentId = await newNote(owner.call, workspaceId, { title: 'A' });
    await newNote(owner.call, workspaceId, { title: 'B', parentId });
    await owner.call('DELETE', `/api/notes/${parentId}`);
    await app.database.query('UPDATE workspaces SET note_count = 99 WHERE id = $1', [workspaceId]);
    const restored = await owner.call('POST', `/api/notes/${parentId}/restore`);
    expect(restored.headers['error-code']).toBe('plan-limit-notes');
    await app.database.query('UPDATE workspaces SET note_count = 98 WHERE id = $1', [workspaceId]);
    expect((await owner.call('POST', `/api/notes/${parentId}/restore`)).status).toBe(200);
    expect(await outlineOf(owner.call, workspaceId)).toBe('A(B)');
  });
});

test('a note that is moved to another workspace takes all below it along', async () => {
  const { call, ids, outline, noteCount, workspaceId } = await startBranch();
  const to = await newWorkspace(call);
  await newNote(call, to, { title: 'There' });
  const moved = await call('POST', `/api/notes/${ids.b}/move`, { workspaceId: to });
  expect(moved).toMatchObject({ status: 200, body: { id: ids.b, parentId: null } });
  expect(await outline()).toBe('A(E) F');
  expect(await outlineOf(call, to)).toBe('There B(C D)');
  expect(await noteCount()).toBe(3);
  expect((await call('GET', `/api/workspaces/${to}`)).body['noteCount']).toBe(4);
  const search = async (id: string) =>
    (await call('GET', `/api/search?q=c&workspace=${id}`)).body['total'];
  expect([await search(workspaceId), await search(to)]).toEqual([0, 1]);
});
