import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { startTree } from './tree.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const NO_PARENT = { status: 404, body: { message: 'Parent not found' } };
const codeOf = ({ status, headers }: { status: number; headers: Record<string, unknown> }) => [
  status,
  headers['error-code'],
];

describe('a new note', () => {
  test('is the last one below its parent, which notes and lists of them name', async () => {
    const { call, workspaceId, add, outline } = await startTree(app);
    const parent = await add('A');
    await add('B');
    const child = await add('C', parent);
    await add('D', parent);
    expect(await outline()).toBe('A(C D) B');
    expect((await call('GET', `/api/notes/${child}`)).body['parentId']).toBe(parent);
    const { data } = (await call('GET', `/api/workspaces/${workspaceId}/notes?sort=title`)).body;
    const parents = (data as { parentId: unknown }[]).map(({ parentId }) => parentId);
    expect(parents).toEqual([null, null, parent, parent]);
  });

  test('goes below no note of another workspace, in the trash, or that is a template', async () => {
    const { call, workspaceId, add, remove } = await startTree(app);
    const below = (parentId: string) =>
      call('POST', `/api/workspaces/${workspaceId}/notes`, { title: 'Child', parentId });
    const elsewhere = await newNote(call, await newWorkspace(call), { title: 'Elsewhere' });
    const trashed = await add('Trashed');
    const { body: template } = await call('POST', `/api/notes/${trashed}/copy`, {
      isTemplate: true,
    });
    await remove(trashed);
    for (const parentId of [elsewhere, trashed, String(template['id']), 'note_none']) {
      expect(await below(parentId)).toMatchObject(NO_PARENT);
    }
    expect((await call('GET', `/api/workspaces/${workspaceId}`)).body['noteCount']).toBe(1);
  });

  test('is on the tenth level at most', async () => {
    const { call, workspaceId, add, place } = await startTree(app);
    let parentId = await add('1');
    for (let level = 2; level <= 10; level += 1) parentId = await add(String(level), parentId);
    const path = `/api/workspaces/${workspaceId}/notes`;
    const answer = await call('POST', path, { title: '11', parentId });
    expect(codeOf(answer)).toEqual([422, 'too-deep']);
    const { data } = (await call('GET', `/api/notes/${parentId}/parents`)).body;
    const titles = (data as { title: string }[]).map(({ title }) => title);
    expect(titles).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9']);

    const other = await add('Other');
    const ninth = (data as { id: string }[])[8]?.id ?? '';
    await add('Below', other);
    expect(codeOf(await place(other, ninth))).toEqual([422, 'too-deep']);
    expect((await place(await add('Leaf'), ninth)).status).toBe(200);
  });

  test('is beside the note that it is a copy of, and without those below it', async () => {
    const { call, add, outline } = await startTree(app);
    const parent = await add('A');
    const child = await add('B', parent);
    await add('C', child);
    await call('POST', `/api/notes/${child}/copy`, {});
    expect(await outline()).toBe('A(B(C) B)');
  });
});

describe('POST /api/notes/{id}/place', () => {
  test('puts a note first, after a sibling or last, with those below it', async () => {
    const { call, add, place, outline } = await startTree(app);
    const [a, b, c] = [await add('A'), await add('B'), await add('C')];
    await add('D', c);
    const { headers } = await call('GET', `/api/notes/${c}`);
    expect(await place(c, null, null)).toMatchObject({
      status: 200,
      body: { id: c, title: 'C', parentId: null, hasChildren: true },
    });
    expect(await outline()).toBe('C(D) A B');
    await place(c, null, a);
    expect(await outline()).toBe('A C(D) B');
    await place(c, b);
    expect(await outline()).toBe('A B(C(D))');
    await place(a, null);
    expect(await outline()).toBe('B(C(D)) A');
    expect((await call('GET', `/api/notes/${c}`)).headers['etag']).toBe(headers['etag']);
  });

  test('finds a place between two notes however often it is asked for', async () => {
    const { add, place, outline } = await startTree(app);
    const [first, x, y] = [await add('First'), await add('X'), await add('Y')];
    await add('Last');
    for (let n = 0; n < 60; n += 1) await place(n % 2 === 0 ? y : x, null, first);
    expect(await outline()).toBe('First X Y Last');
  });

  test('refuses a note below itself, and a parent or sibling that is not there', async () => {
    const { call, add, place, outline, remove } = await startTree(app);
    const a = await add('A');
    const b = await add('B', a);
    const c = await add('C', b);
    expect(codeOf(await place(a, c))).toEqual([422, 'parent-is-below']);
    expect(codeOf(await place(a, a))).toEqual([422, 'parent-is-below']);
    const elsewhere = await newNote(call, await newWorkspace(call), { title: 'Elsewhere' });
    expect(await place(c, elsewhere)).toMatchObject(NO_PARENT);
    expect(await place(elsewhere, a)).toMatchObject(NO_PARENT);
    expect(await place(c, null, b)).toMatchObject({ body: { message: 'Sibling not found' } });
    const { body: template } = await call('POST', `/api/notes/${c}/copy`, { isTemplate: true });
    expect((await place(String(template['id']), a)).status).toBe(404);
    await remove(c);
    expect((await place(c, null)).status).toBe(404);
    expect(await outline()).toBe('A(B)');
  });

  test('never makes a circle of two notes that are placed at once', async () => {
    const { add, place, outline } = await startTree(app);
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await add('A'), await add('B')];
      const answers = await Promise.all([place(a, b), place(b, a)]);
      const statuses = answers.map(({ status }) => status).toSorted((one, two) => one - two);
      expect(statuses).toEqual([200, 422]);
    }
    expect((await outline()).replaceAll(/[^AB]/g, '')).toHaveLength(20);
  });

  test('needs the right to write', async () => {
    const { user: owner, workspaceId, add } = await startTree(app);
    const id = await add('A');
    const [viewer, stranger] = [newUser(app), newUser(app)];
    await join(app, { owner, workspaceId, user: viewer }, 'viewer');
    const place = { parentId: null };
    expect((await viewer.call('POST', `/api/notes/${id}/place`, place)).status).toBe(403);
    expect((await stranger.call('POST', `/api/notes/${id}/place`, place)).status).toBe(404);
    const tree = `/api/workspaces/${workspaceId}/tree`;
    expect((await viewer.call('GET', tree)).body['data']).toMatchObject([{ id }]);
    expect((await stranger.call('GET', tree)).status).toBe(404);
    expect((await stranger.call('GET', `/api/notes/${id}/parents`)).status).toBe(404);
  });
});

test('the tree is read in pages, level by level', async () => {
  const { call, workspaceId, add } = await startTree(app);
  const ids = [await add('A'), await add('B'), await add('C')];
  const path = `/api/workspaces/${workspaceId}/tree?limit=2`;
  const { body } = await call('GET', path);
  expect(body['data']).toMatchObject([{ id: ids[0] }, { id: ids[1] }]);
  const rest = await call('GET', `${path}&cursor=${String(body['nextCursor'])}`);
  expect(rest.body).toMatchObject({ data: [{ id: ids[2] }], nextCursor: null });
  expect((await call('GET', `${path}&cursor=WyJhIiwxXQ`)).status).toBe(422);
});
