import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('notes per workspace', () => {
  test('allows exactly 100 notes on the free plan when 120 are created at once', async () => {
    const call = app.as();
    const workspaceId = await newWorkspace(call);
    const path = `/api/workspaces/${workspaceId}/notes`;
    const first = await newNote(call, workspaceId, { title: 'First' });
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => call('POST', path, { title: `Note ${n}` })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(99);
    const refused = answers.filter(({ status }) => status === 403);
    expect(refused).toHaveLength(21);
    expect(refused[0]?.body).toEqual({
      error: 'Plan Limit Exceeded',
      message: 'Your plan allows 100 notes in a workspace',
    });
    const workspace = await call('GET', `/api/workspaces/${workspaceId}`);
    expect(workspace.body['noteCount']).toBe(100);
    await call('DELETE', `/api/notes/${first}`);
    expect((await call('POST', path, { title: 'Again' })).status).toBe(201);
  });

  test('allows more than 100 notes on the pro plan', async () => {
    const call = app.as({ plan: 'pro' });
    const workspaceId = await newWorkspace(call);
    const path = `/api/workspaces/${workspaceId}/notes`;
    const answers = await Promise.all(
      Array.from({ length: 110 }, () => call('POST', path, { title: 'N' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  });
});

describe('note size', () => {
  test.each([
    ['free', 'a', 51_200],
    ['free', 'é', 25_600],
    ['pro', '\n', 512_000],
    ['pro', '🌍', 128_000],
  ] as const)(
    'on the %s plan allows %j repeated %i times and not one byte more',
    async (plan, sign, times) => {
      const call = app.as({ plan });
      const workspaceId = await newWorkspace(call);
      const path = `/api/workspaces/${workspaceId}/notes`;
      const full = await call('POST', path, { title: 'T', content: sign.repeat(times) });
      expect(full.status).toBe(201);
      const tooMuch = { content: `${sign.repeat(times)}x` };
      const refused = { status: 403, body: { error: 'Plan Limit Exceeded' } };
      expect(await call('POST', path, { title: 'T', ...tooMuch })).toMatchObject(refused);
      const notePath = `/api/notes/${String(full.body['id'])}`;
      const change = await call('PATCH', notePath, tooMuch, { 'if-match': '*' });
      expect(change).toMatchObject(refused);
    },
  );

  test('after a downgrade lets a note be shortened step by step, and not grow', async () => {
    const sub = newId('usr');
    const [pro, call] = [app.as({ plan: 'pro', sub }), app.as({ plan: 'free', sub })];
    const workspaceId = await newWorkspace(pro);
    const id = await newNote(pro, workspaceId, { title: 'T', content: 'x'.repeat(60_000) });
    await app.database.query(`UPDATE owners SET plan = 'free' WHERE account_id = $1`, [sub]);
    const statuses: number[] = [];
    for (const length of [60_001, 60_000, 55_000, 55_001, 51_200, 51_201]) {
      const body = { content: 'x'.repeat(length) };
      statuses.push((await call('PATCH', `/api/notes/${id}`, body, { 'if-match': '*' })).status);
    }
    expect(statuses).toEqual([403, 200, 200, 403, 200, 403]);
  });

  test('returns 422 for a text that is far too long for any plan', async () => {
    const call = app.as();
    const path = `/api/workspaces/${await newWorkspace(call)}/notes`;
    const answer = await call('POST', path, { title: 'T', content: 'x'.repeat(1_024_001) });
    expect(answer).toMatchObject({
      status: 422,
      body: { message: 'Content must be at most 1024000 characters long' },
    });
  });

  test('accepts a note of too many different words to index and finds it by its title', async () => {
    const call = app.as({ plan: 'pro' });
    const workspaceId = await newWorkspace(call);
    let content = '';
    for (let n = 0; content.length < 511_990; n += 1) content += `${n.toString(36)}-x `;
    const id = await newNote(call, workspaceId, { title: 'Dictionary', content });
    const found = await call('GET', '/api/search?q=dictionary');
    expect(found.body).toMatchObject({ total: 1, results: [{ id }] });
  });
});
