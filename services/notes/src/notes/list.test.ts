import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

interface Listed {
  id: string;
  title: string;
  tags: string[];
  pinned: boolean;
  favourite: boolean;
  sharedUrl: string | null;
  createdAt: string;
  updatedAt: string;
}

/** Every page of a list. */
async function listNotes(call: Caller, path: string): Promise<Listed[]> {
  const notes: Listed[] = [];
  let cursor = '';
  do {
    const { status, body } = await call('GET', `${path}${cursor}`);
    expect(status).toBe(200);
    notes.push(...(body['data'] as Listed[]));
    cursor = typeof body['nextCursor'] === 'string' ? `&cursor=${body['nextCursor']}` : '';
  } while (cursor !== '');
  return notes;
}

const anyQuery = fc.record({
  sort: fc.constantFrom('created' as const, 'updated' as const, 'title' as const),
  order: fc.constantFrom('asc', 'desc', undefined),
  tags: fc.uniqueArray(fc.constantFrom('a', 'b', 'c d', 'none'), { maxLength: 3 }),
  match: fc.constantFrom('all', 'any', 'none', undefined),
  favourite: fc.constantFrom('true', 'false', undefined),
  shared: fc.constantFrom('true', 'false', undefined),
  limit: fc.integer({ min: 1, max: 6 }),
});

test('lists by any order and filter what a page after another has, pinned notes first', async () => {
  const call = app.as();
  const workspaceId = await newWorkspace(call);
  const path = `/api/workspaces/${workspaceId}/notes`;
  const titles = ['Part 10', 'part 2', 'Part 2', 'apple', 'Zoo', 'Part 2'];
  const tags = [['a'], ['b', 'a'], [], ['c d'], ['a', 'b', 'c d'], ['b']];
  for (let n = 0; n < 18; n += 1) {
    const note = { title: titles[n % 6], tags: tags[(n * 5) % 6], pinned: n % 7 === 0 };
    const id = await newNote(call, workspaceId, note);
    if (n % 4 === 0) await call('PUT', `/api/notes/${id}/favourite`);
    if (n % 3 === 0) await call('POST', `/api/notes/${id}/share`);
    if (n % 5 === 0) await call('DELETE', `/api/notes/${id}`);
  }
  const all = await listNotes(call, `${path}?limit=100`);
  expect(all).toHaveLength(14);
  const changed = all[9]?.id;
  await call('PATCH', `/api/notes/${changed}`, { content: 'x' }, { 'if-match': '*' });
  const now = await listNotes(call, `${path}?limit=100`);
  const { compare } = new Intl.Collator('en', { numeric: true });
  await fc.assert(
    fc.asyncProperty(anyQuery, async (query) => {
      const parameters = new URLSearchParams({ sort: query.sort, limit: String(query.limit) });
      for (const name of ['order', 'match', 'favourite', 'shared'] as const) {
        if (query[name] !== undefined) parameters.set(name, query[name]);
      }
      for (const tag of query.tags) parameters.append('tags', tag);
      const fits = (note: Listed) => {
        const isIn = (tag: string) => note.tags.includes(tag);
        if (query.favourite !== undefined && note.favourite !== (query.favourite === 'true')) {
          return false;
        }
        if (query.shared !== undefined && (note.sharedUrl !== null) !== (query.shared === 'true')) {
          return false;
        }
        if (query.match === 'none') return !query.tags.some(isIn);
        if (query.match === 'any') return query.tags.length === 0 || query.tags.some(isIn);
        return query.tags.every(isIn);
      };
      const key = { created: 'createdAt', updated: 'updatedAt', title: 'title' } as const;
      const sign = (query.order ?? (query.sort === 'title' ? 'asc' : 'desc')) === 'asc' ? 1 : -1;
      const expected = now.filter(fits).toSorted((a, b) => {
        const order = compare(a[key[query.sort]], b[key[query.sort]]) || (a.id < b.id ? -1 : 1);
        return Number(b.pinned) - Number(a.pinned) || sign * order;
      });
      const listed = await listNotes(call, `${path}?${parameters.toString()}`);
      expect(listed).toEqual(expected);
    }),
    { numRuns: 60 },
  );
});

test('names who wrote the text of a note last', async () => {
  const [owner, editor] = [newUser(app, { plan: 'pro' }), newUser(app)];
  const workspaceId = await newWorkspace(owner.call);
  await join(app, { owner, workspaceId, user: editor });
  const own = await newNote(owner.call, workspaceId, { title: 'Own' });
  const taken = await newNote(owner.call, workspaceId, { title: 'Taken' });
  const change = (id: string, body: object) =>
    editor.call('PATCH', `/api/notes/${id}`, body, { 'if-match': '*' });
  await change(taken, { content: 'other words' });
  await change(own, { pinned: true });
  const { body } = await owner.call('GET', `/api/workspaces/${workspaceId}/notes?sort=title`);
  expect(body['data']).toMatchObject([
    { id: own, authorId: owner.id },
    { id: taken, authorId: editor.id },
  ]);
});

test('rejects orders that there are none, and the cursor of another list', async () => {
  const call = app.as();
  const workspaceId = await newWorkspace(call);
  const path = `/api/workspaces/${workspaceId}/notes`;
  for (const title of ['A', 'B']) await newNote(call, workspaceId, { title });
  const { body } = await call('GET', `${path}?sort=title&limit=1`);
  const queries = ['sort=size', 'order=up', 'match=some', `cursor=${String(body['nextCursor'])}`];
  for (const query of queries) {
    expect([query, (await call('GET', `${path}?${query}`)).status]).toEqual([query, 422]);
  }
});

test('has every note once while one of them is pinned and unpinned', async () => {
  const call = app.as();
  const workspaceId = await newWorkspace(call);
  const id = await newNote(call, workspaceId, { title: 'Asters' });
  await newNote(call, workspaceId, { title: 'Zinnias' });
  const path = `/api/workspaces/${workspaceId}/notes`;
  const titles = async () => (await listNotes(call, path)).map(({ title }) => title).toSorted();
  const lists: string[][] = [];
  for (let round = 0; round < 20; round += 1) {
    const body = { pinned: round % 2 === 0 };
    const [pinned, ...found] = await Promise.all([
      call('PATCH', `/api/notes/${id}`, body, { 'if-match': '*' }),
      ...Array.from({ length: 4 }, titles),
    ]);
    expect(pinned.body).toMatchObject(body);
    lists.push(...found);
  }
  expect(new Set(lists.map(String))).toEqual(new Set(['Asters,Zinnias']));
});
