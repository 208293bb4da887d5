import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseAccount } from '../account-data/store.ts';
import { purgeVersions } from '../versions/retention.ts';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ANY = { 'if-match': '*' };

interface Listed {
  id: string;
  title: string;
  authorId: string | null;
  name: string | null;
  isCurrent: boolean;
}

async function start(claims = {}) {
  const owner = newUser(app, claims);
  const workspaceId = await newWorkspace(owner.call);
  const note = { title: 'One', content: 'first\n', tags: ['a'] };
  const noteId = await newNote(owner.call, workspaceId, note);
  const path = `/api/notes/${noteId}`;
  const change = (user: User, body: object) => user.call('PATCH', path, body, ANY);
  const list = async () =>
    (await owner.call('GET', `${path}/versions`)).body['data'] as unknown as Listed[];
  /** As if the current version were older than five minutes. */
  const pause = () =>
    app.database.query(
      `UPDATE versions SET created_at = created_at - interval '6 minutes',
         begun_at = begun_at - interval '6 minutes' WHERE note_id = $1`,
      [noteId],
    );
  const restore = (
    user: User,
    versionId: string | undefined,
    headers: Record<string, string> = ANY,
  ) => user.call('POST', `${path}/versions/${versionId}/restore`, undefined, headers);
  return { owner, workspaceId, noteId, path, change, list, pause, restore };
}

describe('versions of a note', () => {
  test('hold what one person wrote within five minutes', async () => {
    const { owner, workspaceId, path, change, list, pause } = await start();
    const guest = newUser(app);
    await join(app, { owner, workspaceId, user: guest });
    await change(owner, { title: 'Two' });
    expect(await list()).toMatchObject([{ title: 'Two', authorId: owner.id, isCurrent: true }]);
    await pause();
    await change(owner, { title: 'Three' });
    await change(guest, { title: 'Four' });
    await change(guest, { content: 'fourth\n' });
    const versions = await list();
    expect(versions).toMatchObject([
      { title: 'Four', authorId: guest.id, isCurrent: true },
      { title: 'Three', authorId: owner.id, isCurrent: false },
      { title: 'Two', authorId: owner.id, isCurrent: false },
    ]);
    const current = await owner.call('GET', `${path}/versions/${versions[0]?.id}`);
    expect(current.body).toMatchObject({ title: 'Four', content: 'fourth\n', tags: ['a'] });
  });

  test('do not change when the text does not', async () => {
    const { owner, change, list, pause } = await start();
    await pause();
    await change(owner, { pinned: true });
    await change(owner, { title: 'One', content: 'first\n' });
    expect(await list()).toHaveLength(1);
  });

  test('are listed in pages, newest first', async () => {
    const { owner, path, change, pause } = await start();
    for (const title of ['Two', 'Three']) {
      await pause();
      await change(owner, { title });
    }
    const first = await owner.call('GET', `${path}/versions?limit=2`);
    expect(first.body['data']).toMatchObject([{ title: 'Three' }, { title: 'Two' }]);
    const next = String(first.body['nextCursor']);
    const rest = await owner.call('GET', `${path}/versions?cursor=${next}`);
    expect(rest.body).toMatchObject({ data: [{ title: 'One' }], nextCursor: null });
  });

  test('are as many of each author as the plan holds: the oldest unnamed one goes first', async () => {
    const { owner, noteId, path, change, list, pause } = await start();
    await owner.call('POST', `${path}/versions`, { name: 'Named' });
    await app.database.query(
      `INSERT INTO versions
         (id, note_id, author_id, title, content, tags, begun_at, created_at, superseded_at)
       SELECT 'ver_' || n, $1, $2, 'Title ' || n, '', '{}', at, at, now()
       FROM generate_series(1, 198) AS n, LATERAL (SELECT now() - make_interval(mins => 300 - n) AS at)`,
      [noteId, owner.id],
    );
    await change(owner, { title: 'Two' });
    expect(await app.database.prisma.version.count({ where: { noteId } })).toBe(200);
    await pause();
    await change(owner, { title: 'Three' });
    const where = { noteId, OR: [{ name: 'Named' }, { id: 'ver_1' }, { id: 'ver_2' }] };
    const kept = await app.database.prisma.version.findMany({ where, orderBy: { id: 'asc' } });
    expect(await app.database.prisma.version.count({ where: { noteId } })).toBe(200);
    expect(kept.map(({ name, title }) => name ?? title)).toEqual(['Named', 'Title 2']);
    expect((await list()).filter(({ isCurrent }) => isCurrent)).toMatchObject([{ title: 'Three' }]);
  });

  test('stay as they are once they have a name', async () => {
    const { owner, path, change, list } = await start();
    const named = await owner.call('POST', `${path}/versions`, { name: 'Sent' });
    expect(named).toMatchObject({ status: 200, body: { name: 'Sent', isCurrent: true } });
    await change(owner, { title: 'Two' });
    expect(await list()).toMatchObject([
      { title: 'Two', name: null },
      { title: 'One', name: 'Sent' },
    ]);
  });

  test('are compared by lines and words, with the current one by default', async () => {
    const { owner, path, change, list, pause } = await start();
    await pause();
    await change(owner, { title: 'Two', content: 'first\nsecond\n', tags: ['b'] });
    const [second, first] = await list();
    const compare = (query: string) =>
      owner.call('GET', `${path}/versions/${first?.id}/comparison${query}`);
    const { body } = await compare('');
    expect(body).toMatchObject({
      from: { id: first?.id },
      to: { id: second?.id },
      title: [{ kind: 'removed' }, { kind: 'added' }],
      content: [
        { kind: 'same', parts: [{ text: 'first\n' }] },
        { kind: 'added', parts: [{ text: 'second\n' }] },
      ],
      tags: { removed: ['a'], added: ['b'] },
    });
    expect((await compare(`?to=${first?.id}`)).body).toMatchObject({
      tags: { removed: [], added: [] },
    });
    expect((await compare('?to=ver_unknown')).status).toBe(404);
  });

  test('belong to their note: a version of another note is missing', async () => {
    const { owner, path, restore } = await start();
    const other = await start();
    const [foreign] = await other.list();
    const missing = { status: 404, body: { message: 'Version not found' } };
    expect(await owner.call('GET', `${path}/versions/${foreign?.id}`)).toMatchObject(missing);
    expect(await restore(owner, foreign?.id)).toMatchObject(missing);
  });

  test('lose the name of an account that is erased, and stay', async () => {
    const { owner, workspaceId, change, list } = await start();
    const guest = newUser(app);
    await join(app, { owner, workspaceId, user: guest });
    await change(guest, { title: 'Two' });
    await eraseAccount(app, guest.id);
    expect(await list()).toMatchObject([{ title: 'Two', authorId: null }, { authorId: owner.id }]);
  });
});

describe('restoring a version', () => {
  test('is a new version, gives back title, content and tags, and is found by search', async () => {
    const { owner, path, change, list, restore, pause } = await start();
    await pause();
    await change(owner, { title: 'Two', content: 'heron\n', tags: [] });
    const [, first] = await list();
    const restored = await restore(owner, first?.id);
    expect(restored.body).toMatchObject({ title: 'One', content: 'first\n', tags: ['a'] });
    expect(restored.headers['etag']).toBe((await owner.call('GET', path)).headers['etag']);
    expect((await list()).map(({ title }) => title)).toEqual(['One', 'Two', 'One']);
    const find = async (q: string) => (await owner.call('GET', `/api/search?q=${q}`)).body['total'];
    expect([await find('first'), await find('heron')]).toEqual([1, 0]);
  });

  test('needs the entity tag that was read', async () => {
    const { owner, change, list, restore } = await start();
    const [version] = await list();
    await change(owner, { title: 'Two' });
    expect((await restore(owner, version?.id, {})).status).toBe(428);
    expect((await restore(owner, version?.id, { 'if-match': '"1"' })).status).toBe(412);
    expect((await restore(owner, version?.id, { 'if-match': '"2"' })).status).toBe(200);
  });
});

describe('old versions', () => {
  test.each([
    ['free', 7],
    ['pro', 90],
  ])(
    'are purged on the %s plan %i days after another one is current, which stays',
    async (plan, days) => {
      const { owner, noteId, change, list, pause } = await start({ plan });
      await pause();
      await change(owner, { title: 'Two' });
      const age = (interval: string) =>
        app.database.query(
          `UPDATE versions SET created_at = now() - interval '1 year',
           superseded_at = CASE WHEN superseded_at IS NOT NULL THEN now() - $2::interval END
         WHERE note_id = $1`,
          [noteId, interval],
        );
      await age(`${days} days -1 minute`);
      await purgeVersions(app.database);
      expect(await list()).toHaveLength(2);
      await age(`${days} days 1 second`);
      await purgeVersions(app.database);
      expect(await list()).toMatchObject([{ title: 'Two', isCurrent: true }]);
    },
  );
});

test('three editors who write at once lose no line, and every version restores exactly', async () => {
  const step = fc.record({ editor: fc.nat({ max: 2 }), pauses: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 50, maxLength: 50 }), async (steps) => {
      const { owner, workspaceId, path, list, pause, restore } = await start();
      const editors = [owner, newUser(app), newUser(app)];
      for (const user of editors.slice(1)) await join(app, { owner, workspaceId, user });
      const append = async ({ call }: User, line: string): Promise<void> => {
        const { body, headers } = await call('GET', path);
        const content = `${String(body['content'])}${line}\n`;
        const match = { 'if-match': String(headers['etag']) };
        if ((await call('PATCH', path, { content }, match)).status === 412) {
          await append({ call } as User, line);
        }
      };
      for (let at = 0; at < steps.length; at += 5) {
        const together = steps.slice(at, at + 5);
        if (together.some(({ pauses }) => pauses)) await pause();
        await Promise.all(
          together.map(({ editor }, n) => append(editors[editor] as User, `line ${at + n}`)),
        );
      }
      const { content } = (await owner.call('GET', path)).body;
      const lines = String(content).trimEnd().split('\n');
      expect(lines.toSorted()).toEqual(['first', ...steps.map((_, n) => `line ${n}`)].toSorted());
      for (const { id } of await list()) {
        const version = await owner.call('GET', `${path}/versions/${id}`);
        const { title, content: text, tags } = version.body;
        const restored = await restore(owner, id);
        expect(restored.body).toMatchObject({ title, content: text, tags });
      }
    }),
    { numRuns: 2 },
  );
});
