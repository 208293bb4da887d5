import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseAccount } from '../account-data/store.ts';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { ANY_VERSION, startActivity } from './activity.fixture.ts';
import { purgeActivities, trimActivities } from './retention.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

const start = () => startActivity(app);

describe('the activity of a workspace', () => {
  test('says who did what, newest first', async () => {
    const { ada, workspaceId, path, read, change } = await start();
    const ben = newUser(app);
    const noteId = await newNote(ada.call, workspaceId, { title: 'Plans' });
    await join(app, { owner: ada, workspaceId, user: ben });
    await change(ben, noteId, { title: 'Plans for autumn', content: 'Plant tulips' });
    await ada.call('POST', `/api/notes/${noteId}/share`);
    await ada.call('DELETE', `/api/notes/${noteId}/share`);
    await ada.call('DELETE', `/api/notes/${noteId}/share`);
    await ben.call('DELETE', `/api/notes/${noteId}`);
    await ada.call('POST', `/api/notes/${noteId}/restore`);
    await ada.call('PATCH', path, { name: 'Balcony' });
    await ada.call('PATCH', path, { description: 'Herbs' });
    await ada.call('PATCH', `${path}/members/${ben.id}`, { role: 'viewer' });
    await ada.call('POST', `${path}/transfer`, { userId: ben.id });
    await ben.call('DELETE', `${path}/members/${ada.id}`);
    const { body } = await ben.call('GET', `${path}/activity`);
    const note = { noteId, title: 'Plans for autumn' };
    expect(body['data']).toMatchObject([
      { kind: 'member.removed', userId: ben.id, memberId: ada.id },
      { kind: 'workspace.transferred', userId: ada.id, memberId: ben.id },
      { kind: 'member.role_changed', userId: ada.id, memberId: ben.id, role: 'viewer' },
      { kind: 'workspace.renamed', userId: ada.id, title: 'Balcony', formerTitle: 'Garden' },
      { kind: 'note.restored', userId: ada.id, ...note },
      { kind: 'note.deleted', userId: ben.id, ...note },
      { kind: 'note.unshared', userId: ada.id, ...note },
      { kind: 'note.shared', userId: ada.id, ...note },
      { kind: 'note.edited', userId: ben.id, ...note },
      { kind: 'note.renamed', userId: ben.id, ...note, formerTitle: 'Plans' },
      { kind: 'member.joined', userId: ben.id, memberId: ben.id, role: 'editor' },
      { kind: 'member.invited', userId: ada.id, role: 'editor', memberId: null },
      { kind: 'note.created', userId: ada.id, noteId, title: 'Plans' },
    ]);
    expect(await read()).toBeUndefined();
  });

  test('records `note.version_restored` when a version is restored', async () => {
    const { ada, workspaceId, read, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Plans' });
    const { body } = await ada.call('GET', `/api/notes/${noteId}/versions`);
    const [first] = body['data'] as { id: string }[];
    const ben = newUser(app);
    await join(app, { owner: ada, workspaceId, user: ben });
    await change(ben, noteId, { title: 'Ideas', content: 'Tulips' });
    const restore = `/api/notes/${noteId}/versions/${first?.id}/restore`;
    expect((await ada.call('POST', restore, undefined, ANY_VERSION)).status).toBe(200);
    const [restored, before] = await read();
    expect(restored).toMatchObject({
      kind: 'note.version_restored',
      userId: ada.id,
      title: 'Plans',
    });
    expect(before).toMatchObject({ kind: 'note.edited', userId: ben.id });
  });

  test('learns nothing of what a note becomes after it was moved away', async () => {
    const { ada, workspaceId, read, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Plans' });
    const target = await newWorkspace(ada.call, 'Diary');
    await ada.call('POST', `/api/notes/${noteId}/move`, { workspaceId: target }, ANY_VERSION);
    await change(ada, noteId, { title: 'Secret' });
    expect(await read()).toMatchObject([{ kind: 'note.moved' }, { title: 'Plans' }]);
  });

  test('joins what one person changes of a note within five minutes', async () => {
    const { ada, workspaceId, read, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Untitled' });
    await change(ada, noteId, { title: 'Tulips' });
    await change(ada, noteId, { content: 'Red' });
    await change(ada, noteId, { pinned: true });
    expect(await read()).toMatchObject([{ kind: 'note.created', title: 'Tulips' }]);
    // As if it had been written long ago.
    await app.database.query('UPDATE activities SET id = $1 WHERE workspace_id = $2', [
      `act_0${'0'.repeat(25)}`,
      workspaceId,
    ]);
    await Promise.all([1, 2, 3, 4].map((n) => change(ada, noteId, { content: `Red ${n}` })));
    await change(ada, noteId, { content: 'Red 4', title: 'Tulips' });
    expect(await read()).toMatchObject([{ kind: 'note.edited' }, { kind: 'note.created' }]);
  });

  test('is read in pages and purged by age', async () => {
    const { ada, workspaceId, list, read } = await start();
    for (const title of ['A', 'B', 'C']) await newNote(ada.call, workspaceId, { title });
    const first = await list('?limit=2');
    expect(first['data']).toMatchObject([{ title: 'C' }, { title: 'B' }]);
    const rest = await list(`?limit=2&cursor=${String(first['nextCursor'])}`);
    expect(rest).toMatchObject({ data: [{ title: 'A' }], nextCursor: null });
    await purgeActivities(app.database, undefined, () => Date.now() + 89 * 86_400_000);
    expect(await read()).toHaveLength(3);
    await purgeActivities(app.database, undefined, () => Date.now() + 91 * 86_400_000);
    expect(await read()).toEqual([]);
  });

  test('keeps the latest entries of each workspace', async () => {
    const gardens = [await start(), await start(), await start()];
    for (const { ada, workspaceId } of gardens.slice(1)) {
      for (const title of ['A', 'B', 'C']) await newNote(ada.call, workspaceId, { title });
    }
    await trimActivities(app.database, undefined, { max: 3, workspacesPerStep: 1 });
    expect(await gardens[1]?.read()).toHaveLength(3);
    await trimActivities(app.database, undefined, { max: 2, workspacesPerStep: 2 });
    for (const { read } of gardens.slice(1)) {
      expect(await read()).toMatchObject([{ title: 'C' }, { title: 'B' }]);
    }
  });

  test('forgets the titles of a note that is deleted for good, in every workspace', async () => {
    const { ada, workspaceId, read, change } = await start();
    const noteId = await newNote(ada.call, workspaceId, { title: 'Diagnosis' });
    const kept = await newNote(ada.call, workspaceId, { title: 'Ferns' });
    const ben = newUser(app);
    await join(app, { owner: ada, workspaceId, user: ben });
    await change(ben, noteId, { title: 'Secret diagnosis' });
    const target = await newWorkspace(ada.call, 'Diary');
    await ada.call('POST', `/api/notes/${noteId}/move`, { workspaceId: target }, ANY_VERSION);
    await ada.call('DELETE', `/api/notes/${noteId}`);
    await ada.call('DELETE', `/api/workspaces/${target}/trash/${noteId}`);
    const entries = (await read()).filter(({ noteId: id }) => id !== null);
    const forgotten = { noteId, title: null, formerTitle: null };
    expect(entries).toMatchObject([
      { kind: 'note.moved', ...forgotten },
      { kind: 'note.renamed', userId: ben.id, ...forgotten },
      { kind: 'note.created', noteId: kept, title: 'Ferns' },
      { kind: 'note.created', userId: ada.id, ...forgotten },
    ]);
    const titles = `SELECT id FROM activities WHERE note_id = $1 AND title IS NOT NULL`;
    expect(await app.database.query(titles, [noteId])).toEqual([]);
  });

  test('names an erased account no more', async () => {
    const { ada, workspaceId, path, read } = await start();
    const ben = newUser(app);
    await join(app, { owner: ada, workspaceId, user: ben });
    await newNote(ben.call, workspaceId, { title: 'Ferns' });
    await ada.call('PATCH', `${path}/members/${ben.id}`, { role: 'viewer' });
    await eraseAccount(app, ben.id);
    expect(await read()).toMatchObject([
      { kind: 'member.role_changed', userId: ada.id, memberId: null },
      { kind: 'note.created', userId: null, title: 'Ferns' },
      { kind: 'member.joined', userId: null, memberId: null },
      { kind: 'member.invited', userId: ada.id },
    ]);
  });
});
