import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { attach, noteCounts, purgeFiles, startMoving, titles } from './moving.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('a copied note', () => {
  test('is a private note of its own with a new history', async () => {
    const { call, from, copy } = await startMoving(app);
    const { path } = await attach(call, from, 'a file');
    const note = { title: 'Heron', content: `Grey ${path}`, tags: ['bird'], pinned: true };
    const id = await newNote(call, from, note);
    await call('POST', `/api/notes/${id}/versions`, { name: 'First' });
    await call('POST', `/api/notes/${id}/share`);
    const { status, body, headers } = await copy(id);
    expect({ status, body }).toMatchObject({
      status: 201,
      body: { ...note, pinned: false, sharedUrl: null, isTemplate: false },
    });
    expect(headers['etag']).toBe('"1"');
    const copied = `/api/notes/${String(body['id'])}`;
    expect((await call('GET', `${copied}/versions`)).body['data']).toMatchObject([{ name: null }]);
    await call('DELETE', `/api/workspaces/${from}`);
    await purgeFiles(app);
    expect((await call('GET', path)).status).toBe(200);
  });

  test('is made once however often the request is sent', async () => {
    const { call, from, copy } = await startMoving(app);
    const id = await newNote(call, from, { title: 'Heron' });
    const key = { 'idempotency-key': `copy-${id}` };
    const [first, again] = [await copy(id, {}, key), await copy(id, {}, key)];
    expect(again.body).toEqual(first.body);
    expect(await noteCounts(call, from)).toEqual([2]);
  });

  test('has no text in the answer that is kept for its key, which names the copy as it is', async () => {
    const { user, call, from, copy } = await startMoving(app);
    const id = await newNote(call, from, { title: 'T', content: 'A private text' });
    const key = { 'idempotency-key': `copy-${id}` };
    const path = `/api/notes/${String((await copy(id, {}, key)).body['id'])}`;
    const [row] = await app.database.query<{ response: string }>(
      'SELECT response FROM idempotency_keys WHERE account_id = $1',
      [user.id],
    );
    expect(row?.response).not.toMatch(/private/);
    await call('PATCH', path, { content: 'Later' }, { 'if-match': '*' });
    const again = await copy(id, {}, key);
    expect(again).toMatchObject({ status: 201, body: { content: 'Later' } });
    expect(again.headers).toMatchObject({ etag: '"2"', 'idempotent-replayed': 'true' });
    await call('DELETE', path);
    expect((await copy(id, {}, key)).status).toBe(404);
  });
});

describe('a template', () => {
  async function startTemplate() {
    const { call, from, copy } = await startMoving(app);
    const id = await newNote(call, from, { title: 'Minutes', content: 'Who was there?' });
    const { body } = await copy(id, { isTemplate: true });
    await call('DELETE', `/api/notes/${id}`);
    return { call, from, id: String(body['id']) };
  }

  test('is listed as a template and neither as a note nor found', async () => {
    const { call, from, id } = await startTemplate();
    await call('PATCH', `/api/notes/${id}`, { content: 'Absent?' }, { 'if-match': '*' });
    await call('DELETE', `/api/notes/${id}`);
    expect((await call('POST', `/api/notes/${id}/restore`)).status).toBe(200);
    expect(await titles(call, `/api/workspaces/${from}/templates`)).toEqual(['Minutes']);
    expect(await titles(call, `/api/workspaces/${from}/notes`)).toEqual([]);
    expect(await titles(call, '/api/search?q=absent')).toEqual([]);
    expect(await titles(call, '/api/search/titles?q=min')).toEqual([]);
  });

  test('is copied into a note, and stays a template where it is moved', async () => {
    const { call, from, id } = await startTemplate();
    const { body } = await call('POST', `/api/notes/${id}/copy`, {});
    expect(body).toMatchObject({ title: 'Minutes', workspaceId: from, isTemplate: false });
    expect(await titles(call, '/api/search?q=minutes')).toEqual(['Minutes']);
    const to = await newWorkspace(call);
    await call('POST', `/api/notes/${id}/move`, { workspaceId: to });
    expect(await titles(call, `/api/workspaces/${to}/templates`)).toEqual(['Minutes']);
    expect(await titles(call, `/api/workspaces/${to}/notes`)).toEqual([]);
  });
});
