import { until } from '@atrium/testkit/until';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ANY = { 'if-match': '*' };

async function start() {
  const user = newUser(app, { plan: 'pro' });
  const workspaceId = await newWorkspace(user.call);
  const write = (title: string, content = '') =>
    newNote(user.call, workspaceId, { title, content });
  const change = (id: string, body: object) => user.call('PATCH', `/api/notes/${id}`, body, ANY);
  return { user, call: user.call, workspaceId, write, change };
}

async function backlinksOf(call: Caller, id: string): Promise<string[]> {
  const { body } = await call('GET', `/api/notes/${id}/backlinks?limit=100`);
  return (body['data'] as { id: string }[]).map((source) => source.id).toSorted();
}

describe('backlinks', () => {
  test('are the notes that link by title or URL, page by page', async () => {
    const { call, workspaceId, write } = await start();
    const id = await write('Plans');
    const first = await write('First', `${'before '.repeat(200)}See [[ PLANS|them ]]`);
    const second = await write('Second', `[x](https://a.example/notes/${id}) and [[plans]]`);
    await write('None', '`[[Plans]]`');
    const page = await call('GET', `/api/notes/${id}/backlinks?limit=1`);
    expect(page.body['data']).toEqual([
      {
        id: second,
        title: 'Second',
        workspaceId,
        workspaceName: 'Work',
        excerpt: 'x and **plans**',
      },
    ]);
    const { nextCursor } = page.body;
    const next = await call(
      'GET',
      `/api/notes/${id}/backlinks?limit=1&cursor=${String(nextCursor)}`,
    );
    expect(next.body).toMatchObject({ data: [{ id: first }], nextCursor: null });
    expect(next.body).toHaveProperty('data.0.excerpt', expect.stringMatching(/^….*before See/));
    const links = await call('GET', `/api/notes/${second}/links`);
    expect(links.body).toEqual({ data: [{ name: 'plans', noteId: id, title: 'Plans' }] });
  });

  test('stay when the note is renamed, while another note takes its title', async () => {
    const { call, write, change } = await start();
    const id = await write('Plans');
    const source = await write('Source', '[[Plans]]');
    await change(id, { title: 'Autumn' });
    const other = await write('Plans');
    const later = await write('Later', '[[Plans]] [[autumn]]');
    expect(await backlinksOf(call, id)).toEqual([source, later]);
    expect(await backlinksOf(call, other)).toEqual([later]);
    await change(other, { title: 'Autumn' });
    expect(await backlinksOf(call, other)).toEqual([later]);
  });

  test.each([
    ['İstanbul', '[[ İstanbul ]]', '[[i̇STANBUL]]'],
    ['ΔΡΟΜΟΣ', '[[ΔΡΟΜΟΣ]]', '[[Δρομος]]'],
    ['ΔΡΟΜΟΣ ', '[[ΔΡΟΜΟΣ]]', '[[\u00a0δρομος]]'],
    ['\u3000Straße\t', '[[Straße]]', '[[STRAßE]]'],
  ])('mean the title %j by any letter case, also once it is another', async (title, ...links) => {
    const { call, write, change } = await start();
    const id = await write(title);
    const sources: string[] = [];
    for (const link of links) sources.push(await write('Source', `See ${link}.`));
    expect(await backlinksOf(call, id)).toEqual(sources);
    await change(id, { title: 'Renamed' });
    expect(await backlinksOf(call, id)).toEqual(sources);
    for (const source of sources) {
      const { data } = (await call('GET', `/api/notes/${source}/links`)).body;
      expect(data).toMatchObject([{ name: title.trim().toLowerCase(), noteId: id }]);
    }
  });

  test('show only what the account may read', async () => {
    const { user, call, workspaceId, write } = await start();
    const reader = newUser(app);
    await join(app, { owner: user, workspaceId, user: reader }, 'viewer');
    const id = await write('Plans');
    const elsewhere = await newWorkspace(call);
    const hidden = await newNote(call, elsewhere, { title: 'H', content: `/notes/${id}` });
    const shown = await write('Shown', `/notes/${id}`);
    expect(await backlinksOf(call, id)).toEqual([hidden, shown].toSorted());
    expect(await backlinksOf(reader.call, id)).toEqual([shown]);
  });

  test('do not come from templates, and no title means one', async () => {
    const { call, write } = await start();
    const id = await write('Plans', '[[Minutes]] [[Plans]]');
    const minutes = await write('Minutes', '[[Plans]]');
    await call('POST', `/api/notes/${minutes}/copy`, { isTemplate: true });
    await call('DELETE', `/api/notes/${minutes}`);
    expect(await backlinksOf(call, id)).toEqual([]);
    const { data } = (await call('GET', `/api/notes/${id}/links`)).body;
    expect(data).toMatchObject([{ name: 'plans', noteId: id }]);
  });

  test('are looked for one request of an account at a time, and 20 may wait', async () => {
    const { call, write } = await start();
    const id = await write('Plans');
    const source = await write('Source', '[[Plans]]');
    const statuses: number[] = [];
    const answers = await app.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query('LOCK TABLE note_links IN ACCESS EXCLUSIVE MODE');
      const asked = Array.from({ length: 22 }, async () => {
        statuses.push((await call('GET', `/api/notes/${id}/backlinks`)).status);
      });
      await until(() => statuses.length > 0);
      return { asked };
    });
    await Promise.all(answers.asked);
    expect(statuses).toEqual([429, ...Array.from({ length: 21 }, () => 200)]);
    expect(await backlinksOf(call, id)).toEqual([source]);
  });

  test('survive notes that are renamed and rewritten at once', async () => {
    const { write, change } = await start();
    const ids = await Promise.all(Array.from({ length: 6 }, (_, n) => write(`t${n}`)));
    const content = ids.map((_, n) => `[[t${n}]] [[u${n}]]`).join(' ');
    const answers = await Promise.all(
      ids.flatMap((id, n) => [
        change(id, { content, title: `u${n}` }),
        change(id, { content: '', title: `t${5 - n}` }),
        change(id, { content }),
      ]),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

interface Model {
  id: string;
  workspaceId: string;
  title: string;
  isTrashed: boolean;
  /** What it links to, and the note that this means once the title has been changed. */
  links: Map<string, string | undefined>;
}

/** The rule of decision 0030. */
function meaningOf(notes: Model[], source: Model, name: string): string | undefined {
  const kept = notes.find(({ id }) => id === source.links.get(name));
  if (kept !== undefined && !kept.isTrashed && kept.workspaceId === source.workspaceId) {
    return kept.id;
  }
  return notes.find(
    ({ title, workspaceId, isTrashed }) =>
      title === name && workspaceId === source.workspaceId && !isTrashed,
  )?.id;
}

function rename(notes: Model[], note: Model, title: string): void {
  const sources = notes.filter(({ workspaceId }) => workspaceId === note.workspaceId);
  for (const source of note.title === title ? [] : sources) {
    for (const name of [note.title, title].filter((each) => source.links.has(each))) {
      source.links.set(name, meaningOf(notes, source, name) ?? source.links.get(name));
    }
  }
  note.title = title;
}

const TITLES = ['a', 'b', 'c'];
const step = fc.record({
  kind: fc.constantFrom('write', 'rename', 'rename', 'move', 'delete', 'restore'),
  note: fc.nat({ max: 3 }),
  workspace: fc.nat({ max: 1 }),
  title: fc.constantFrom(...TITLES),
  names: fc.uniqueArray(fc.constantFrom(...TITLES), { maxLength: 3 }),
});

test('agree with the texts after any edits, renames, moves, deletions and restorations', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
      const { call, workspaceId, write } = await start();
      const workspaceIds = [workspaceId, await newWorkspace(call)];
      const notes: Model[] = [];
      for (const title of [...TITLES, 'a']) {
        const id = await write(title);
        notes.push({ id, workspaceId, title, isTrashed: false, links: new Map() });
      }
      for (const { kind, note: index, workspace, title, names } of steps) {
        const note = notes[index];
        if (note === undefined || note.isTrashed !== (kind === 'restore')) continue;
        const path = `/api/notes/${note.id}`;
        if (kind === 'write') {
          const content = names.map((name) => `[[${name}]]`).join(' ');
          await call('PATCH', path, { content }, ANY);
          note.links = new Map(names.map((name) => [name, note.links.get(name)]));
        } else if (kind === 'rename') {
          await call('PATCH', path, { title }, ANY);
          rename(notes, note, title);
        } else if (kind === 'move') {
          note.workspaceId = workspaceIds[workspace] ?? '';
          await call('POST', `${path}/move`, { workspaceId: note.workspaceId });
        } else if (kind === 'delete') {
          await call('DELETE', path);
          note.isTrashed = true;
        } else {
          await call('POST', `${path}/restore`);
          note.isTrashed = false;
        }
      }
      for (const { id } of notes.filter(({ isTrashed }) => !isTrashed)) {
        const expected = notes.filter(
          (source) =>
            !source.isTrashed &&
            source.id !== id &&
            [...source.links.keys()].some((name) => meaningOf(notes, source, name) === id),
        );
        expect(await backlinksOf(call, id)).toEqual(expected.map((source) => source.id).toSorted());
      }
    }),
    { numRuns: 25 },
  );
});
