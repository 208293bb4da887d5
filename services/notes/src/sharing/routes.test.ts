import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

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

async function readPublic(url: unknown) {
  const { pathname } = new URL(String(url));
  const response = await app.server.inject(pathname.replace('/s/', '/shared/'));
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

describe('sharing', () => {
  test('returns the address of a public page and stores one event', async () => {
    const sub = newId('usr');
    const { call, workspaceId, id, sharePath } = await createNoteOf(sub);
    const shared = await call('POST', sharePath, undefined, { 'x-request-id': 'req-1' });
    const { url, sharedAt } = shared.body;
    expect(shared.status).toBe(200);
    expect(url).toMatch(/^https:\/\/atrium\.example\/s\/[\w-]{43}$/);
    expect(await readPublic(url)).toMatchObject({
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
    const before = app.relayWakes();
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('POST', sharePath)));
    expect(new Set(answers.map(({ body }) => body['url'])).size).toBe(1);
    expect(await storedEventsOf(sub)).toHaveLength(1);
    expect(app.relayWakes() - before).toBe(1);
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
    expect(await readPublic(first)).toMatchObject({
      status: 404,
      body: { error: 'Not Found', message: 'Shared note not found' },
    });
    expect((await call('GET', `/api/notes/${id}`)).body['sharedUrl']).toBe(null);
    const second = (await call('POST', sharePath)).body['url'];
    expect(second).not.toBe(first);
    expect(await storedEventsOf(sub)).toHaveLength(2);
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
