import { newId } from '@atrium/contracts/ids';
import { recordPlan } from '@atrium/service-kit/owner-plans';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { eraseDeletedWorkspaces } from './erasure.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const MISSING = { error: 'Not Found', message: 'Workspace not found' };

describe('workspaces', () => {
  test('returns 201 with an empty workspace when one is created', async () => {
    const call = app.as();
    const { status, body } = await call('POST', '/api/workspaces', {
      name: 'Garden',
      description: 'What grows',
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^ws_[0-9a-z]{26}$/),
      name: 'Garden',
      description: 'What grows',
      noteCount: 0,
      role: 'owner',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(await call('GET', `/api/workspaces/${String(body['id'])}`)).toMatchObject({
      status: 200,
      body,
    });
  });

  test.each([
    ['no name', {}, 400, 'Bad Request'],
    ['a name that is a number', { name: 1 }, 400, 'Bad Request'],
    ['an empty name', { name: '' }, 422, 'Validation Error'],
    ['a name of 101 characters', { name: 'n'.repeat(101) }, 422, 'Validation Error'],
  ])('rejects %s', async (_what, input, status, error) => {
    const answer = await app.as()('POST', '/api/workspaces', input);
    expect(answer).toMatchObject({ status, body: { error, message: expect.any(String) } });
  });

  test('lists the workspaces of the caller, newest first, in pages', async () => {
    const call = app.as();
    const ids = [await newWorkspace(call), await newWorkspace(call), await newWorkspace(call)];
    const first = await call('GET', '/api/workspaces?limit=2');
    const second = await call('GET', `/api/workspaces?cursor=${String(first.body['nextCursor'])}`);
    expect(first.body['data']).toMatchObject([{ id: ids[2] }, { id: ids[1] }]);
    expect(second.body).toMatchObject({ data: [{ id: ids[0] }], nextCursor: null });
    expect((await app.as()('GET', '/api/workspaces')).body).toEqual({ data: [], nextCursor: null });
    expect((await call('GET', '/api/workspaces?cursor=nonsense')).status).toBe(422);
    expect((await call('GET', '/api/workspaces?limit=101')).status).toBe(422);
  });

  test('changes the fields that are sent and returns 422 when there are none', async () => {
    const call = app.as();
    const id = await newWorkspace(call, 'Old');
    const answer = await call('PATCH', `/api/workspaces/${id}`, { name: 'New' });
    expect(answer).toMatchObject({ status: 200, body: { id, name: 'New', description: '' } });
    expect((await call('PATCH', `/api/workspaces/${id}`, {})).status).toBe(422);
  });

  test('deletes the notes with their workspace: at once for everybody, later in the database', async () => {
    const call = app.as({ ev: true });
    const id = await newWorkspace(call);
    const note = await newNote(call, id, { title: 'Gone' });
    const { url } = (await call('POST', `/api/notes/${note}/share`)).body;
    const shared = () => app.server.inject(`/shared/${String(url).split('/s/')[1]}`);
    expect((await shared()).statusCode).toBe(200);
    expect((await call('DELETE', `/api/workspaces/${id}`)).status).toBe(204);
    expect((await shared()).statusCode).toBe(404);
    expect(await call('GET', `/api/notes/${note}`)).toMatchObject({ status: 404 });
    await eraseDeletedWorkspaces(app);
    expect(await app.database.prisma.note.count({ where: { id: note } })).toBe(0);
    expect(await app.database.prisma.workspace.count({ where: { id } })).toBe(0);
    expect(await call('DELETE', `/api/workspaces/${id}`)).toMatchObject({
      status: 404,
      body: MISSING,
    });
  });

  test('returns the same 404 for a workspace of another account as for an unknown one', async () => {
    const id = await newWorkspace(app.as());
    const other = app.as();
    for (const path of [`/api/workspaces/${id}`, `/api/workspaces/${newId('ws')}`]) {
      expect(await other('GET', path)).toMatchObject({ status: 404, body: MISSING });
      expect(await other('PATCH', path, { name: 'x' })).toMatchObject({ status: 404 });
      expect(await other('DELETE', path)).toMatchObject({ status: 404, body: MISSING });
    }
  });

  test('returns 401 without a valid access token', async () => {
    const response = await app.server.inject('/api/workspaces');
    expect(response.statusCode).toBe(401);
    expect(response.json()).toEqual({ error: 'Unauthorized', message: 'Authentication required' });
    const expired = await app.as({ expiresInSeconds: -1 })('GET', '/api/workspaces');
    expect(expired.body).toEqual({ error: 'Unauthorized', message: 'Token expired' });
  });
});

describe('workspace limits', () => {
  test('allows five workspaces on the free plan when twenty are created at once', async () => {
    const call = app.as();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('POST', '/api/workspaces', { name: 'W' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(15);
    expect(refused[0]?.body).toEqual({
      error: 'Plan Limit Exceeded',
      message: 'Your plan allows 5 workspaces',
    });
  });

  test('allows another workspace after one is deleted', async () => {
    const call = app.as();
    const ids = await Promise.all(Array.from({ length: 5 }, () => newWorkspace(call)));
    await call('DELETE', `/api/workspaces/${ids[0]}`);
    expect((await call('POST', '/api/workspaces', { name: 'W' })).status).toBe(201);
    expect((await call('POST', '/api/workspaces', { name: 'W' })).status).toBe(403);
  });

  test('allows more than five workspaces on the pro plan', async () => {
    const call = app.as({ plan: 'pro' });
    for (let n = 0; n < 7; n += 1) {
      expect((await call('POST', '/api/workspaces', { name: 'W' })).status).toBe(201);
    }
  });

  test('follows a new plan at once, whatever plan the access token still has', async () => {
    const sub = newId('usr');
    const [free, pro] = [app.as({ sub, plan: 'free' }), app.as({ sub, plan: 'pro' })];
    for (let n = 0; n < 5; n += 1) await newWorkspace(free);
    const change = (plan: 'free' | 'pro') =>
      recordPlan(app.database, {
        id: newId('msg'),
        kind: 'plan.changed',
        accountId: sub,
        createdAt: new Date().toISOString(),
        data: { plan },
      });
    await change('pro');
    expect((await free('POST', '/api/workspaces', { name: 'W' })).status).toBe(201);
    await change('free');
    expect(await pro('POST', '/api/workspaces', { name: 'W' })).toMatchObject({
      status: 403,
      body: { message: 'Your plan allows 5 workspaces' },
    });
  });
});
