import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function favouritesOf({ call }: User): Promise<unknown[]> {
  const titles: unknown[] = [];
  let cursor = '';
  do {
    const { body } = await call('GET', `/api/favourites?limit=1${cursor}`);
    titles.push(...(body['data'] as { title: string }[]).map(({ title }) => title));
    cursor = typeof body['nextCursor'] === 'string' ? `&cursor=${body['nextCursor']}` : '';
  } while (cursor !== '');
  return titles;
}

test('every member has favourites of their own, in all workspaces, the latest first', async () => {
  const [ada, ben] = [newUser(app), newUser(app)];
  const shared = await newWorkspace(ada.call);
  await join(app, { owner: ada, workspaceId: shared, user: ben }, 'viewer');
  const first = `/api/notes/${await newNote(ada.call, shared, { title: 'First' })}`;
  const own = await newWorkspace(ben.call);
  const second = `/api/notes/${await newNote(ben.call, own, { title: 'Second' })}`;
  for (const path of [second, first, second]) {
    expect((await ben.call('PUT', `${path}/favourite`)).status).toBe(204);
  }
  expect(await favouritesOf(ben)).toEqual(['First', 'Second']);
  expect(await favouritesOf(ada)).toEqual([]);
  const read = await ben.call('GET', first);
  expect([read.body['favourite'], read.headers['etag']]).toEqual([true, '"1"']);
  expect((await ada.call('GET', first)).body['favourite']).toBe(false);
  const change = await ben.call('PATCH', second, { pinned: true }, { 'if-match': '*' });
  expect(change.body['favourite']).toBe(true);
  await ben.call('DELETE', second);
  expect(await favouritesOf(ben)).toEqual(['First']);
  expect((await ben.call('POST', `${second}/restore`)).body['favourite']).toBe(true);
  await ben.call('DELETE', `${first}/favourite`);
  expect((await ben.call('DELETE', `${first}/favourite`)).status).toBe(204);
  expect(await favouritesOf(ben)).toEqual(['Second']);
});

test('favourites end with the membership', async () => {
  const [ada, ben] = [newUser(app), newUser(app)];
  const workspaceId = await newWorkspace(ada.call);
  const path = `/api/notes/${await newNote(ada.call, workspaceId, { title: 'T' })}/favourite`;
  for (let round = 0; round < 2; round += 1) {
    await join(app, { owner: ada, workspaceId, user: ben }, 'viewer');
    expect(await favouritesOf(ben)).toEqual([]);
    await ben.call('PUT', path);
    await ada.call('PUT', path);
    await ben.call('DELETE', `/api/workspaces/${workspaceId}/members/${ben.id}`);
    expect(await favouritesOf(ben)).toEqual([]);
    expect((await ben.call('PUT', path)).status).toBe(404);
    expect(await favouritesOf(ada)).toEqual(['T']);
  }
});
