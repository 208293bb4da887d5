import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { search } from '../search/search.fixture.ts';
import { tagTerm } from '../search-index/analysis.ts';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function start(notes: Record<string, string[]>) {
  const call = app.as({ plan: 'pro' });
  const workspaceId = await newWorkspace(call);
  const ids = new Map<string, string>();
  for (const [title, tags] of Object.entries(notes)) {
    ids.set(title, await newNote(call, workspaceId, { title, tags }));
  }
  const note = (title: string) => `/api/notes/${ids.get(title)}`;
  const tagsOf = async (title: string) => (await call('GET', note(title))).body['tags'];
  return { call, workspaceId, note, tagsOf, tags: `/api/workspaces/${workspaceId}/tags` };
}

async function listTags(call: Caller, path: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let cursor = '';
  do {
    const { body } = await call('GET', `${path}?limit=2${cursor}`);
    for (const { name, noteCount } of body['data'] as { name: string; noteCount: number }[]) {
      counts[name] = noteCount;
    }
    cursor = typeof body['nextCursor'] === 'string' ? `&cursor=${body['nextCursor']}` : '';
  } while (cursor !== '');
  return counts;
}

describe('tags', () => {
  test('are listed in natural order with the number of live notes', async () => {
    const { call, note, tags } = await start({
      A: ['b', 'Part 10', 'ä'],
      B: ['b', 'Part 2'],
      C: ['b', 'gone'],
    });
    await call('DELETE', note('C'));
    const counts = await listTags(call, tags);
    expect(Object.entries(counts)).toEqual([
      ['ä', 1],
      ['b', 2],
      ['Part 2', 1],
      ['Part 10', 1],
    ]);
    expect((await call('GET', `${tags}?cursor=WzFd`)).status).toBe(422);
  });

  test('a rename reaches every note, also templates and in the trash, and keeps the time of change', async () => {
    const { call, note, tagsOf, tags } = await start({
      A: ['x', 'gardn', 'y'],
      B: ['gardn'],
      C: ['gardn', 'a/b?'],
    });
    await call('DELETE', note('B'));
    const copy = await call('POST', `${note('A')}/copy`, { isTemplate: true });
    const template = `/api/notes/${String(copy.body['id'])}`;
    const before = await call('GET', note('A'));
    const renamed = await call('PATCH', `${tags}/gardn`, { name: 'garden' });
    expect(renamed).toMatchObject({ status: 200, body: { name: 'garden', noteCount: 2 } });
    const after = await call('GET', note('A'));
    expect(after.body).toEqual({ ...before.body, tags: ['x', 'garden', 'y'] });
    expect([before.headers['etag'], after.headers['etag']]).toEqual(['"1"', '"2"']);
    expect((await call('GET', template)).body['tags']).toEqual(['x', 'garden', 'y']);
    await call('POST', `${note('B')}/restore`);
    expect(await tagsOf('B')).toEqual(['garden']);
    const path = `${tags}/${encodeURIComponent('a/b?')}`;
    expect((await call('PATCH', path, { name: 'c' })).body).toEqual({ name: 'c', noteCount: 1 });
    expect((await call('PATCH', `${tags}/c`, { name: 'c' })).body).toMatchObject({ name: 'c' });
    expect(await search(call, 'tag:gardn')).toMatchObject({ total: 0 });
    expect(await search(call, 'tag:garden')).toMatchObject({ total: 3 });
  });

  test('a rename to the name of another tag needs merge, which keeps each tag once', async () => {
    const { call, tagsOf, tags } = await start({ A: ['one', 'x', 'two'], B: ['one'], C: ['two'] });
    const conflict = await call('PATCH', `${tags}/one`, { name: 'two' });
    expect(conflict).toMatchObject({ status: 409, body: { error: 'Conflict' } });
    const merged = await call('PATCH', `${tags}/one`, { name: 'two', merge: true });
    expect(merged.body).toEqual({ name: 'two', noteCount: 3 });
    expect(await tagsOf('A')).toEqual(['x', 'two']);
  });

  test('a deleted tag leaves its notes; one that no note has is not found', async () => {
    const { call, tagsOf, tags } = await start({ A: ['one', 'two'] });
    expect((await call('DELETE', `${tags}/one`)).status).toBe(204);
    expect(await tagsOf('A')).toEqual(['two']);
    const missing = { status: 404, body: { message: 'Tag not found' } };
    expect(await call('DELETE', `${tags}/one`)).toMatchObject(missing);
    expect(await call('PATCH', `${tags}/one`, { name: 'three' })).toMatchObject(missing);
    expect(await call('PATCH', `${tags}/one`, { name: 'one' })).toMatchObject(missing);
    expect((await call('PATCH', `${tags}/two`, { name: '' })).status).toBe(422);
  });

  test('a change begins no version, except where the current one has a name', async () => {
    const { call, note, tags } = await start({ Plain: ['a'], Named: ['a'] });
    await call('POST', `${note('Named')}/versions`, { name: 'First' });
    await call('PATCH', `${tags}/a`, { name: 'b' });
    const versionsOf = async (title: string) => {
      const { body } = await call('GET', `${note(title)}/versions`);
      const versions = body['data'] as { id: string }[];
      return Promise.all(
        versions.map(async ({ id }) => {
          const version = (await call('GET', `${note(title)}/versions/${id}`)).body;
          return [version['name'], version['tags']];
        }),
      );
    };
    expect(await versionsOf('Plain')).toEqual([[null, ['b']]]);
    expect(await versionsOf('Named')).toEqual([
      [null, ['b']],
      ['First', ['a']],
    ]);
  });

  test('changes more notes than one transaction does', async () => {
    const titles = Array.from({ length: 120 }, (_, n) => [`Note ${n}`, ['a']]);
    const { call, tags } = await start(Object.fromEntries(titles));
    expect((await call('PATCH', `${tags}/a`, { name: 'b' })).body).toMatchObject({
      noteCount: 120,
    });
  });
});

const NAMES = ['a', 'A', 'b c', 'ä', '10', 'x/y', '#h', 'q'];
const anyName = fc.constantFrom(...NAMES);
const anyTags = fc.uniqueArray(anyName, { maxLength: 4 });
const anyNote = fc.constantFrom('n0', 'n1', 'n2', 'n3', 'n4');
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant('rename' as const), tag: anyName, name: anyName }),
  fc.record({ kind: fc.constant('delete' as const), tag: anyName }),
  fc.record({ kind: fc.constant('write' as const), title: anyNote, tags: anyTags }),
  fc.record({ kind: fc.constantFrom('trash' as const, 'restore' as const), title: anyNote }),
);

type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;

/** The steps of a group are sent at once. */
async function take(steps: Step[][], { call, note, tags }: Awaited<ReturnType<typeof start>>) {
  const any = { 'if-match': '*' };
  const path = (tag: string) => `${tags}/${encodeURIComponent(tag)}`;
  for (const group of steps) {
    const answers = await Promise.all(
      group.map((step) => {
        switch (step.kind) {
          case 'rename':
            return call('PATCH', path(step.tag), { name: step.name, merge: true });
          case 'delete':
            return call('DELETE', path(step.tag));
          case 'write':
            return call('PATCH', note(step.title), { tags: step.tags }, any);
          case 'trash':
            return call('DELETE', note(step.title));
          case 'restore':
            return call('POST', `${note(step.title)}/restore`);
        }
      }),
    );
    expect(answers.filter(({ status }) => ![200, 204, 404].includes(status))).toEqual([]);
  }
}

test('after changes at once, the tags of notes, their counts and the search agree', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyTags, { minLength: 5, maxLength: 5 }),
      fc.array(fc.array(anyStep, { maxLength: 4 }), { maxLength: 5 }),
      async (initial, steps) => {
        const started = await start(Object.fromEntries(initial.map((tags, n) => [`n${n}`, tags])));
        await take(steps, started);
        const { call, workspaceId, tags } = started;
        const listed = await call('GET', `/api/workspaces/${workspaceId}/notes`);
        const held = (listed.body['data'] as { tags: string[] }[]).map((note) => note.tags);
        for (const each of held) expect(new Set(each).size).toBe(each.length);
        const counts = Object.fromEntries(
          NAMES.map((name) => [name, held.filter((each) => each.includes(name)).length]),
        );
        const expected = Object.entries(counts).filter(([, count]) => count > 0);
        expect(await listTags(call, tags)).toEqual(Object.fromEntries(expected));
        for (const name of NAMES) {
          const alike = held.filter((each) => each.some((tag) => tagTerm(tag) === tagTerm(name)));
          const found = await search(call, `tag:"${name}"`);
          expect([name, found.total]).toEqual([name, alike.length]);
        }
      },
    ),
    { numRuns: 15 },
  );
});
