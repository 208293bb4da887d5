import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const MISSING = { error: 'Not Found', message: 'Note not found' };
const TIMESTAMP = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

async function start() {
  const call = app.as();
  const workspaceId = await newWorkspace(call);
  const notesPath = `/api/workspaces/${workspaceId}/notes`;
  return { call, workspaceId, notesPath };
}

function statuses(answers: { status: number }[]): number[] {
  return answers.map(({ status }) => status).toSorted((a, b) => a - b);
}

describe('notes', () => {
  test('returns 201 with the note as sent, private, and its entity tag', async () => {
    const { call, workspaceId, notesPath } = await start();
    const input = { title: 'Plan', content: '# Über\n', tags: ['a', 'b'], pinned: true };
    const { status, body, headers } = await call('POST', notesPath, input);
    expect({ status, etag: headers['etag'] }).toEqual({ status: 201, etag: '"1"' });
    expect(body).toEqual({
      ...input,
      id: expect.stringMatching(/^note_[0-9a-z]{26}$/),
      workspaceId,
      favourite: false,
      isTemplate: false,
      parentId: null,
      sharedUrl: null,
      createdAt: TIMESTAMP,
      updatedAt: TIMESTAMP,
    });
    const read = await call('GET', `/api/notes/${String(body['id'])}`);
    expect(read).toMatchObject({ status: 200, body });
    expect(read.headers['etag']).toBe('"1"');
    const workspace = await call('GET', `/api/workspaces/${workspaceId}`);
    expect(workspace.body['noteCount']).toBe(1);
  });

  test('fills in defaults when only a title is sent', async () => {
    const { call, notesPath } = await start();
    const { body } = await call('POST', notesPath, { title: 'Bare' });
    expect(body).toMatchObject({ content: '', tags: [], pinned: false });
  });

  test.each([
    ['no title', { content: '' }, 400],
    ['tags that are text', { title: 'T', tags: 'a' }, 400],
    ['pinned as text', { title: 'T', pinned: 'true' }, 400],
    ['an empty title', { title: '' }, 422],
    ['a tag twice', { title: 'T', tags: ['a', 'a'] }, 422],
    ['a NUL', { title: 'T', content: 'a\0b' }, 422],
  ])('rejects %s', async (_what, input, status) => {
    const { call, notesPath } = await start();
    expect((await call('POST', notesPath, input)).status).toBe(status);
  });

  test('lists notes without content, pinned first, in pages', async () => {
    const { call, workspaceId, notesPath } = await start();
    const pinned = await newNote(call, workspaceId, { title: 'P', pinned: true });
    const second = await newNote(call, workspaceId, { title: '2' });
    const third = await newNote(call, workspaceId, { title: '3' });
    const first = await call('GET', `${notesPath}?limit=1`);
    expect(first.body['data']).toMatchObject([{ id: pinned, title: 'P' }]);
    expect(JSON.stringify(first.body)).not.toContain('content');
    const rest = await call('GET', `${notesPath}?cursor=${String(first.body['nextCursor'])}`);
    expect(rest.body).toMatchObject({ data: [{ id: third }, { id: second }], nextCursor: null });
    const last = await call('GET', `${notesPath}?limit=2`);
    const end = await call('GET', `${notesPath}?cursor=${String(last.body['nextCursor'])}`);
    expect(end.body).toMatchObject({ data: [{ id: second }] });
    expect((await call('GET', `${notesPath}?cursor=WzEsMl0`)).status).toBe(422);
  });

  test('keeps the entity tag and the time when a change changes nothing', async () => {
    const call = app.as();
    const id = await newNote(call, await newWorkspace(call), { title: 'Same', tags: ['a'] });
    const before = await call('GET', `/api/notes/${id}`);
    const change = { title: 'Same', tags: ['a'], pinned: false };
    const after = await call('PATCH', `/api/notes/${id}`, change, { 'if-match': '"1"' });
    expect([after.status, after.headers['etag'], after.body]).toEqual([200, '"1"', before.body]);
    const changed = await call(
      'PATCH',
      `/api/notes/${id}`,
      { pinned: true },
      { 'if-match': '"1"' },
    );
    expect([changed.status, changed.headers['etag']]).toEqual([200, '"2"']);
  });

  test('changes a note only when If-Match names the current version', async () => {
    const { call, workspaceId } = await start();
    const path = `/api/notes/${await newNote(call, workspaceId, { title: 'T', content: 'C' })}`;
    const change = (ifMatch: string) =>
      call('PATCH', path, { content: '' }, { 'if-match': ifMatch });
    expect(await call('PATCH', path, { title: 'X' })).toMatchObject({
      status: 428,
      body: { error: 'Precondition Required' },
    });
    const changed = await change('"1"');
    expect(changed).toMatchObject({ status: 200, body: { title: 'T', content: '' } });
    expect(changed.headers['etag']).toBe('"2"');
    for (const stale of ['"1"', 'W/"2"', 'nonsense']) {
      expect(await change(stale)).toMatchObject({
        status: 412,
        body: { error: 'Precondition Failed' },
      });
    }
    expect((await change('"1", "2"')).status).toBe(200);
    expect((await change('*')).status).toBe(200);
  });

  test('accepts one of several changes made at once', async () => {
    const { call, workspaceId } = await start();
    const path = `/api/notes/${await newNote(call, workspaceId, { title: 'T' })}`;
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((title) => call('PATCH', path, { title }, { 'if-match': '"1"' })),
    );
    expect(statuses(answers)).toEqual([200, 412, 412, 412]);
  });

  test('deletes a note once and counts it down', async () => {
    const { call, workspaceId } = await start();
    const path = `/api/notes/${await newNote(call, workspaceId, { title: 'T' })}`;
    expect((await call('DELETE', path, undefined, { 'if-match': '"9"' })).status).toBe(412);
    const answers = await Promise.all(Array.from({ length: 5 }, () => call('DELETE', path)));
    expect(statuses(answers)).toEqual([204, 404, 404, 404, 404]);
    const workspace = await call('GET', `/api/workspaces/${workspaceId}`);
    expect(workspace.body['noteCount']).toBe(0);
  });

  test('returns 404 for a note or workspace of another account', async () => {
    const { call, workspaceId, notesPath } = await start();
    const id = await newNote(call, workspaceId, { title: 'T' });
    const other = app.as();
    for (const path of [`/api/notes/${id}`, `/api/notes/${newId('note')}`, '/api/notes/x']) {
      expect(await other('GET', path)).toMatchObject({ status: 404, body: MISSING });
      const change = await other('PATCH', path, { title: 'X' }, { 'if-match': '*' });
      expect(change).toMatchObject({ status: 404, body: MISSING });
      expect(await other('DELETE', path)).toMatchObject({ status: 404, body: MISSING });
    }
    const missing = { status: 404, body: { message: 'Workspace not found' } };
    expect(await other('GET', notesPath)).toMatchObject(missing);
    expect(await other('POST', notesPath, { title: 'T' })).toMatchObject(missing);
  });
});
