import { newId } from '@atrium/contracts/ids';
import { EVENTS_QUEUE } from '@atrium/contracts/queues';
import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { inAnHour, PASSWORD, share, visit } from './sharing.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

async function createNoteOf(sub: string) {
  const call = app.as({ sub });
  const workspaceId = await newWorkspace(call);
  const note = { title: 'Open letter', content: '**Hello**', tags: ['public'] };
  const id = await newNote(call, workspaceId, note);
  return { call, workspaceId, id, sharePath: `/api/notes/${id}/share` };
}

function storedEventsOf(accountId: string) {
  return app.database.query<{ event: string; data: object; request_id: string }>(
    `SELECT event, data, request_id FROM outbox WHERE account_id = $1 AND event = 'note.shared' ORDER BY seq`,
    [accountId],
  );
}

describe('sharing', () => {
  test('returns the URL of a public page and stores one event', async () => {
    const sub = newId('usr');
    const { call, workspaceId, id, sharePath } = await createNoteOf(sub);
    const shared = await call('POST', sharePath, undefined, { 'x-request-id': 'req-1' });
    const { url, sharedAt, ...settings } = shared.body;
    expect(shared.status).toBe(200);
    expect(settings).toEqual({
      hasPassword: false,
      expiresAt: null,
      maxViews: null,
      views: 0,
      allowIndexing: false,
    });
    expect(url).toMatch(/^https:\/\/atrium\.example\/s\/[\w-]{43}$/);
    expect(await visit(app, url)).toMatchObject({
      status: 200,
      body: { title: 'Open letter', content: '**Hello**', tags: ['public'], sharedAt },
      headers: { 'cache-control': 'no-store' },
    });
    expect(await storedEventsOf(sub)).toEqual([
      {
        event: 'note.shared',
        request_id: 'req-1',
        data: { noteId: id, workspaceId, title: 'Open letter', url, sharedAt },
      },
    ]);
    expect((await call('GET', `/api/notes/${id}`)).body['sharedUrl']).toBe(url);
  });

  test('returns the same link and stores no second event when a note is shared eight times at once', async () => {
    const sub = newId('usr');
    const { call, sharePath } = await createNoteOf(sub);
    app.relayWakes.length = 0;
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', sharePath)));
    expect(new Set(answers.map(({ body }) => body['url'])).size).toBe(1);
    expect(await storedEventsOf(sub)).toHaveLength(1);
    expect(app.relayWakes).toEqual([{ queue: EVENTS_QUEUE }]);
  });

  test('never fails when a note is shared and unshared at once', async () => {
    const { call, sharePath } = await createNoteOf(newId('usr'));
    await call('POST', sharePath);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) => call(n % 2 === 0 ? 'DELETE' : 'POST', sharePath)),
    );
    for (const { status } of answers) expect([200, 204]).toContain(status);
  });

  test('returns 404 for the link once the note is private, and shares it again under a new link', async () => {
    const sub = newId('usr');
    const { call, id, sharePath } = await createNoteOf(sub);
    const first = (await call('POST', sharePath)).body['url'];
    expect((await call('DELETE', sharePath)).status).toBe(204);
    expect((await call('DELETE', sharePath)).status).toBe(204);
    expect(await visit(app, first)).toMatchObject({
      status: 404,
      body: { error: 'Not Found', message: 'Shared note not found' },
    });
    expect((await call('GET', `/api/notes/${id}`)).body['sharedUrl']).toBe(null);
    const second = (await call('POST', sharePath)).body['url'];
    expect(second).not.toBe(first);
    expect(await storedEventsOf(sub)).toHaveLength(2);
  });

  test('stores an event again for each note that becomes public from the trash', async () => {
    const sub = newId('usr');
    const { call, workspaceId, id, sharePath } = await createNoteOf(sub);
    const below = await newNote(call, workspaceId, { title: 'Reply', parentId: id });
    const ended = await newNote(call, workspaceId, { title: 'Draft', parentId: id });
    await newNote(call, workspaceId, { title: 'Private', parentId: id });
    await call('POST', sharePath);
    await call('POST', `/api/notes/${below}/share`, { expiresAt: inAnHour() });
    await call('POST', `/api/notes/${ended}/share`, { expiresAt: inAnHour() });
    await app.database.query(
      `UPDATE shares SET expires_at = now() - interval '1 minute' WHERE note_id = $1`,
      [ended],
    );
    const [first, second] = await storedEventsOf(sub);
    await call('DELETE', `/api/notes/${id}`);
    await call('POST', `/api/notes/${id}/restore`);
    const again = (await storedEventsOf(sub)).slice(3);
    expect(again.map(({ data }) => data)).toEqual([first?.data, second?.data]);
  });

  test('changes the entity tag when the note becomes public', async () => {
    const { call, id, sharePath } = await createNoteOf(newId('usr'));
    await call('POST', sharePath);
    expect((await call('GET', `/api/notes/${id}`)).headers['etag']).toBe('"2"');
    await call('POST', sharePath);
    expect((await call('GET', `/api/notes/${id}`)).headers['etag']).toBe('"2"');
  });

  test('needs a verified email address to share and none to unshare', async () => {
    const sub = newId('usr');
    const { sharePath } = await createNoteOf(sub);
    const unverified = app.as({ sub, ev: false });
    expect(await unverified('POST', sharePath)).toMatchObject({
      status: 403,
      body: { error: 'Email Not Verified' },
    });
    expect(await storedEventsOf(sub)).toEqual([]);
    expect((await unverified('DELETE', sharePath)).status).toBe(204);
  });

  test('returns 404 for a note of another account', async () => {
    const { sharePath } = await createNoteOf(newId('usr'));
    const missing = { status: 404, body: { error: 'Not Found', message: 'Note not found' } };
    expect(await app.as()('POST', sharePath)).toMatchObject(missing);
    expect(await app.as()('DELETE', sharePath)).toMatchObject(missing);
  });
});

describe('settings of a share', () => {
  test('are kept apart from the note, changed with an entity tag of their own, and removed with null', async () => {
    const expiresAt = inAnHour();
    const given = { password: PASSWORD, expiresAt, maxViews: 3, allowIndexing: true };
    const { call, id, path, url, etag } = await share(app, given);
    const shown = { url, hasPassword: true, expiresAt, maxViews: 3, views: 0, allowIndexing: true };
    expect(await call('GET', path)).toMatchObject({ status: 200, body: shown, headers: { etag } });
    const change = { expiresAt: null, maxViews: null, allowIndexing: false };
    const changed = await call('PATCH', path, { ...change, password: null }, { 'if-match': etag });
    expect(changed).toMatchObject({ status: 200, body: { ...change, hasPassword: false, url } });
    expect(changed.headers['etag']).not.toBe(etag);
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { maxViews: 9 } : undefined;
      expect((await call(method, path, body, { 'if-match': etag })).status).toBe(412);
    }
    expect((await call('GET', `/api/notes/${id}`)).headers['etag']).toBe('"2"');
    expect((await visit(app, url)).status).toBe(200);
  });

  test('are those that were sent last when a public note is shared again, under the same link', async () => {
    const { call, path, url } = await share(app, { maxViews: 3 });
    const again = await call('POST', path, { password: PASSWORD });
    expect(again.body).toMatchObject({ url, hasPassword: true, maxViews: 3 });
    expect(await visit(app, url)).toMatchObject({ status: 401, body: { error: 'Unauthorized' } });
  });

  test('with a password are set one at a time for an account, so that readers are not kept waiting', async () => {
    const { call, path } = await share(app, {});
    const answers = await Promise.all(
      Array.from({ length: 80 }, () => call('PATCH', path, { password: PASSWORD })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    // The others are told to come back; none finds the queue of all accounts full.
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 429]);
  });

  test('with a password are set while a branch of the account is deleted', async () => {
    const { call, id, workspaceId, path } = await share(app, {});
    const above = await newNote(call, workspaceId, { title: 'Above' });
    await newNote(call, workspaceId, { title: 'Below', parentId: above });
    const { DATABASE_URL = '' } = app.workerEnvironment();
    await withClient(DATABASE_URL, async (other) => {
      await other.query('BEGIN');
      await other.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspaceId]);
      let isDeleted = false;
      const deleted = call('DELETE', `/api/notes/${above}`).finally(() => (isDeleted = true));
      await until(async () => (await app.database.query(FIND_BLOCKED)).length > 0);
      expect(await call('PATCH', path, { password: PASSWORD })).toMatchObject({ status: 200 });
      expect(isDeleted).toBe(false);
      await other.query('COMMIT');
      expect(await deleted).toMatchObject({ status: 204 });
    });
    expect(await call('GET', `/api/notes/${id}/share`)).toMatchObject({
      body: { hasPassword: true },
    });
  });

  test('are not found for a private note, and an old entity tag does not fit the next share', async () => {
    const { call, path, etag } = await share(app, {});
    await call('DELETE', path, undefined, { 'if-match': etag });
    const missing = { status: 404, body: { message: 'Share not found' } };
    expect(await call('GET', path)).toMatchObject(missing);
    expect(await call('PATCH', path, { maxViews: 3 })).toMatchObject(missing);
    await call('POST', path);
    expect((await call('PATCH', path, { maxViews: 3 }, { 'if-match': etag })).status).toBe(412);
  });

  test.each([
    [{ expiresAt: '2020-01-31T09:30:00.000Z' }, 'Expires at must be in the future'],
    [{ password: 'short' }, 'Password must'],
    [{ maxViews: 0 }, 'Max views must'],
  ])('are refused when they cannot work: %j', async (settings, message) => {
    const { call, path } = await share(app, {});
    const refused = await call('PATCH', path, settings);
    expect(refused.status).toBe(422);
    expect(refused.body['message']).toContain(message);
  });
});
