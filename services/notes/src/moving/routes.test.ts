import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { attach, noteCounts, purgeFiles, startMoving, titles } from './moving.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

const PLAN_LIMIT = { status: 403, body: { error: 'Plan Limit Exceeded' } };

describe('a moved note', () => {
  test('is in the other workspace only, with its versions, link and time of change', async () => {
    const { call, from, to, move } = await startMoving(app);
    const id = await newNote(call, from, { title: 'Heron', content: 'Grey', tags: ['bird'] });
    await call('POST', `/api/notes/${id}/versions`, { name: 'First' });
    await call('PATCH', `/api/notes/${id}`, { content: 'Blue' }, { 'if-match': '*' });
    const { url } = (await call('POST', `/api/notes/${id}/share`)).body;
    const before = await call('GET', `/api/notes/${id}`);
    const moved = await move(id, to, { 'if-match': before.headers['etag'] });
    expect(moved).toMatchObject({ status: 200, body: { ...before.body, workspaceId: to } });
    expect(moved.headers['etag']).not.toBe(before.headers['etag']);
    expect((await call('GET', `/api/notes/${id}`)).body).toEqual(moved.body);
    expect(moved.body['sharedUrl']).toBe(url);
    expect(await noteCounts(call, from, to)).toEqual([0, 1]);
    expect(await titles(call, `/api/search?q=blue&workspace=${from}`)).toEqual([]);
    expect(await titles(call, `/api/search?q=blue&workspace=${to}`)).toEqual(['Heron']);
    const { data } = (await call('GET', `/api/notes/${id}/versions`)).body;
    expect(data).toMatchObject([{ name: null }, { name: 'First' }]);
  });

  test('stays as it is when it is there already', async () => {
    const { call, from, move } = await startMoving(app);
    const id = await newNote(call, from, { title: 'Heron' });
    const { headers } = await call('GET', `/api/notes/${id}`);
    const answer = await move(id, from, { 'if-match': '"9"' });
    expect([answer.status, answer.headers['etag']]).toEqual([200, headers['etag']]);
  });

  test('stays where it is when it has changed since it was read, or is in the trash', async () => {
    const { call, from, to, move } = await startMoving(app);
    const id = await newNote(call, from, { title: 'Heron' });
    expect((await move(id, to, { 'if-match': '"9"' })).status).toBe(412);
    await call('DELETE', `/api/notes/${id}`);
    expect((await move(id)).status).toBe(404);
    expect(await noteCounts(call, from, to)).toEqual([0, 0]);
  });

  test('needs the right to write in both workspaces', async () => {
    const { user: owner, call, from, move } = await startMoving(app);
    const other = newUser(app, { plan: 'pro' });
    const [theirs, strange] = [await newWorkspace(other.call), await newWorkspace(other.call)];
    await join(app, { owner: other, workspaceId: theirs, user: owner }, 'viewer');
    const id = await newNote(call, from, { title: 'Heron' });
    expect((await move(id, theirs)).status).toBe(403);
    expect(await move(id, strange)).toMatchObject({ body: { message: 'Workspace not found' } });
    const note = await newNote(other.call, theirs, { title: 'Theirs' });
    expect((await move(note, from)).status).toBe(403);
    await join(app, { owner, workspaceId: from, user: other });
    expect(
      await other.call('POST', `/api/notes/${id}/move`, { workspaceId: theirs }),
    ).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('Only its owner') },
    });
    // A reader may take a copy along.
    const copied = await call('POST', `/api/notes/${note}/copy`, { workspaceId: from });
    expect(copied).toMatchObject({ status: 201, body: { title: 'Theirs', workspaceId: from } });
  });

  test('takes its files along, and leaves those that another note refers to', async () => {
    const { call, from, to, move } = await startMoving(app);
    const own = await attach(call, from, 'own');
    const common = await attach(call, from, 'common');
    const old = await attach(call, from, 'old');
    const id = await newNote(call, from, { title: 'A', content: old.path });
    await call('POST', `/api/notes/${id}/versions`, { name: 'With the old file' });
    const content = `![](${own.path}) [x](${common.path})`;
    await call('PATCH', `/api/notes/${id}`, { content }, { 'if-match': '*' });
    await newNote(call, from, { title: 'B', content: common.path });
    const { usedBytes } = (await call('GET', '/api/storage')).body;
    expect((await move(id)).body['content']).toBe(content);
    await purgeFiles(app);
    // What is in both workspaces counts in both.
    const both = Number(usedBytes) + 'common'.length + '{"text":""}'.length;
    expect((await call('GET', '/api/storage')).body['usedBytes']).toBe(both);
    const ids = async (workspaceId: string) =>
      (
        (await call('GET', `/api/workspaces/${workspaceId}/attachments`)).body['data'] as {
          id: string;
        }[]
      )
        .map((file) => file.id)
        .toSorted();
    expect(await ids(from)).toEqual([common.id]);
    expect(await ids(to)).toEqual([own.id, common.id, old.id]);
    await call('DELETE', `/api/workspaces/${from}`);
    await purgeFiles(app);
    expect((await call('GET', common.path)).status).toBe(200);
  });
});

test('a branch that waits for one of its notes keeps no others from being saved', async () => {
  const { call, from, to, move } = await startMoving(app);
  const id = await newNote(call, from, { title: 'Heron' });
  const below = await newNote(call, from, { title: 'Tern', parentId: id });
  const other = await newNote(call, to, { title: 'Other' });
  const { DATABASE_URL = '' } = app.workerEnvironment();
  await withClient(DATABASE_URL, async (writer) => {
    await writer.query('BEGIN');
    await writer.query('SELECT FROM notes WHERE id = $1 FOR UPDATE', [below]);
    const moved = move(id);
    await until(async () => (await app.database.query(FIND_BLOCKED)).length > 0);
    const change = { content: 'Saved' };
    const saved = await call('PATCH', `/api/notes/${other}`, change, { 'if-match': '*' });
    await writer.query('COMMIT');
    expect([saved.status, (await moved).status]).toEqual([200, 200]);
  });
});

describe('limits of the other workspace', () => {
  async function joined() {
    const { user, from, move, copy } = await startMoving(app);
    const owner = newUser(app);
    const to = await newWorkspace(owner.call);
    await join(app, { owner, workspaceId: to, user });
    return { user, owner, from, to, move, copy };
  }

  test('allow exactly as many notes as its plan when several are moved and copied at once', async () => {
    const { user, owner, from, to, move, copy } = await joined();
    await app.database.prisma.workspace.update({ where: { id: to }, data: { noteCount: 96 } });
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) => newNote(user.call, from, { title: `${n}` })),
    );
    const answers = await Promise.all(
      ids.map((id, n) => (n % 2 === 0 ? move(id, to) : copy(id, { workspaceId: to }))),
    );
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.body['message']).toBe(
      'The plan of the owner allows 100 notes in a workspace',
    );
    expect(await titles(owner.call, `/api/workspaces/${to}/notes`)).toHaveLength(4);
    expect(await noteCounts(owner.call, to)).toEqual([100]);
  });

  test('refuse a note that is too long for its plan', async () => {
    const { user, from, to, move, copy } = await joined();
    const content = 'x'.repeat(PLAN_LIMITS.free.noteSizeBytes + 1);
    const id = await newNote(user.call, from, { title: 'Long', content });
    expect(await move(id, to)).toMatchObject(PLAN_LIMIT);
    expect(await copy(id, { workspaceId: to })).toMatchObject(PLAN_LIMIT);
  });

  test('refuse files for which its owner has no space, and only those', async () => {
    const { user, from, to, move, copy } = await joined();
    const { id: fileId, path } = await attach(user.call, from, 'x'.repeat(10_000));
    const id = await newNote(user.call, from, { title: 'A', content: path });
    const other = await newNote(user.call, from, { title: 'Without files' });
    const sizeBytes = PLAN_LIMITS.free.storageBytes - 10_000;
    const most = { id: `fil_${to}`, name: 'x', type: 'x', sizeBytes, storedAt: new Date() };
    await app.database.prisma.attachment.create({
      data: { ...most, workspaces: { create: { workspaceId: to } } },
    });
    expect(await move(id, to)).toMatchObject(PLAN_LIMIT);
    expect(await copy(id, { workspaceId: to })).toMatchObject(PLAN_LIMIT);
    expect((await move(other, to)).status).toBe(200);
    const where = { workspaceId: to, attachmentId: fileId };
    expect(await app.database.prisma.attachmentWorkspace.count({ where })).toBe(0);
  });

  test('hold for notes that are moved to and fro at once', async () => {
    const { call, from, to, move } = await startMoving(app);
    const ids = await Promise.all(
      [from, to, from, to].map((id, n) => newNote(call, id, { title: `${n}`, content: 'word' })),
    );
    const moves = [to, from, to, from].map((target, n) => move(String(ids[n]), target));
    const statuses = (await Promise.all(moves)).map(({ status }) => status);
    expect(statuses).toEqual([200, 200, 200, 200]);
    expect(await noteCounts(call, from, to)).toEqual([2, 2]);
    expect(await titles(call, `/api/search?q=word&workspace=${to}`)).toHaveLength(2);
  });
});
