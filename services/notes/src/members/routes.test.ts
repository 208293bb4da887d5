import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordPlan } from '@atrium/service-kit/owner-plans';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start(claims = {}) {
  const [owner, editor, viewer] = [newUser(app, claims), newUser(app), newUser(app)];
  const workspaceId = await newWorkspace(owner.call, 'Garden');
  await join(app, { owner, workspaceId, user: editor }, 'editor');
  await join(app, { owner, workspaceId, user: viewer }, 'viewer');
  const path = `/api/workspaces/${workspaceId}`;
  const members = async () => (await owner.call('GET', `${path}/members`)).body['data'];
  return { owner, editor, viewer, workspaceId, path, members };
}

const MISSING = { status: 404, body: { message: 'Workspace not found' } };

describe('a shared workspace', () => {
  test('is listed and searched by every member, with their role', async () => {
    const { owner, editor, viewer, workspaceId } = await start();
    const id = await newNote(editor.call, workspaceId, { title: 'Heron' });
    for (const [{ call }, role] of [
      [owner, 'owner'],
      [editor, 'editor'],
      [viewer, 'viewer'],
    ] as const) {
      expect((await call('GET', '/api/workspaces')).body['data']).toMatchObject([
        { id: workspaceId, role, noteCount: 1 },
      ]);
      expect((await call('GET', '/api/search?q=heron')).body['results']).toMatchObject([{ id }]);
      expect((await call('GET', `/api/notes/${id}`)).body).toMatchObject({ title: 'Heron' });
    }
  });

  test('lists its members, the longest-standing first, in pages', async () => {
    const { owner, editor, viewer, path } = await start();
    const first = await viewer.call('GET', `${path}/members?limit=2`);
    const joinedAt = expect.any(String);
    expect(first.body['data']).toEqual([
      { userId: owner.id, role: 'owner', joinedAt },
      { userId: editor.id, role: 'editor', joinedAt },
    ]);
    const rest = await viewer.call(
      'GET',
      `${path}/members?cursor=${String(first.body['nextCursor'])}`,
    );
    expect(rest.body).toMatchObject({ data: [{ userId: viewer.id }], nextCursor: null });
  });

  test('follows the plan of its owner: size, count and their names', async () => {
    const { editor, workspaceId, owner } = await start({ plan: 'pro' });
    const path = `/api/workspaces/${workspaceId}/notes`;
    const big = { title: 'Big', content: 'x'.repeat(60_000) };
    expect((await editor.call('POST', path, big)).status).toBe(201);
    await app.database.query(`UPDATE owners SET plan = 'free' WHERE account_id = $1`, [owner.id]);
    expect(await editor.call('POST', path, big)).toMatchObject({
      status: 403,
      body: { message: 'Content may have at most 50 kB in this workspace' },
    });
  });

  test('learns the new plan of its owner, and the latest wins in any order', async () => {
    const { editor, owner, workspaceId } = await start();
    const say = (plan: 'free' | 'pro', createdAt: string) =>
      recordPlan(app.database, {
        id: 'msg_1',
        kind: 'plan.changed',
        accountId: owner.id,
        createdAt,
        data: { plan },
      });
    await say('pro', '2026-02-02T00:00:00.000Z');
    await say('free', '2026-02-01T00:00:00.000Z');
    const big = { title: 'Big', content: 'x'.repeat(60_000) };
    const answer = await editor.call('POST', `/api/workspaces/${workspaceId}/notes`, big);
    expect(answer.status).toBe(201);
  });
});

describe('a member', () => {
  test('who is removed loses access at once', async () => {
    const { owner, editor, path, workspaceId } = await start();
    const id = await newNote(editor.call, workspaceId, { title: 'Heron' });
    expect((await owner.call('DELETE', `${path}/members/${editor.id}`)).status).toBe(204);
    expect(await editor.call('GET', path)).toMatchObject(MISSING);
    expect((await editor.call('GET', `/api/notes/${id}`)).status).toBe(404);
    const change = await editor.call(
      'PATCH',
      `/api/notes/${id}`,
      { title: 'X' },
      { 'if-match': '*' },
    );
    expect(change.status).toBe(404);
    expect((await editor.call('GET', '/api/search?q=heron')).body['total']).toBe(0);
    expect((await owner.call('DELETE', `${path}/members/${editor.id}`)).status).toBe(404);
  });

  test('can leave, except the owner', async () => {
    const { owner, editor, viewer, path, members } = await start();
    for (const { call, id } of [editor, viewer]) {
      expect((await call('DELETE', `${path}/members/${id}`)).status).toBe(204);
      expect(await call('GET', path)).toMatchObject(MISSING);
    }
    expect((await owner.call('DELETE', `${path}/members/${owner.id}`)).status).toBe(403);
    expect(await members()).toMatchObject([{ userId: owner.id }]);
  });

  test('can do what the new role allows, at once', async () => {
    const { owner, viewer, path, workspaceId } = await start();
    const notes = `/api/workspaces/${workspaceId}/notes`;
    expect(await viewer.call('POST', notes, { title: 'T' })).toMatchObject({
      status: 403,
      body: { error: 'Forbidden', message: expect.stringContaining('viewer') },
    });
    const changed = await owner.call('PATCH', `${path}/members/${viewer.id}`, { role: 'editor' });
    expect(changed).toMatchObject({ status: 200, body: { userId: viewer.id, role: 'editor' } });
    expect((await viewer.call('POST', notes, { title: 'T' })).status).toBe(201);
    const own = await owner.call('PATCH', `${path}/members/${owner.id}`, { role: 'viewer' });
    expect(own.status).toBe(409);
  });
});

describe('transferring a workspace', () => {
  test('makes the member its owner and the owner an editor', async () => {
    const { owner, editor, path, members } = await start();
    const { status, body } = await owner.call('POST', `${path}/transfer`, { userId: editor.id });
    expect([status, body]).toMatchObject([200, { userId: editor.id, role: 'owner' }]);
    expect(await members()).toMatchObject([
      { userId: owner.id, role: 'editor' },
      { userId: editor.id, role: 'owner' },
      { role: 'viewer' },
    ]);
    expect((await owner.call('DELETE', path)).status).toBe(403);
    expect((await editor.call('DELETE', path)).status).toBe(204);
  });

  test('counts for the limit of the new owner, and no more for that of the old one', async () => {
    const { owner, editor, path } = await start();
    for (let n = 0; n < 4; n += 1) await newWorkspace(owner.call);
    for (let n = 0; n < 5; n += 1) await newWorkspace(editor.call);
    const create = async () => (await owner.call('POST', '/api/workspaces', { name: 'W' })).status;
    expect(await create()).toBe(403);
    expect(await owner.call('POST', `${path}/transfer`, { userId: editor.id })).toMatchObject({
      status: 403,
      body: { error: 'Plan Limit Exceeded' },
    });
    const [spare] = (await editor.call('GET', '/api/workspaces')).body['data'] as { id: string }[];
    await editor.call('DELETE', `/api/workspaces/${spare?.id}`);
    expect((await owner.call('POST', `${path}/transfer`, { userId: editor.id })).status).toBe(200);
    expect([await create(), await create()]).toEqual([201, 403]);
  });

  test('returns 404 for an account that is no member', async () => {
    const { owner, path } = await start();
    const answer = await owner.call('POST', `${path}/transfer`, { userId: newUser(app).id });
    expect(answer).toMatchObject({ status: 404, body: { message: 'Member not found' } });
  });
});
