import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makePerson, type Person } from './accounts.ts';
import { startAtrium } from './atrium.ts';
import { call, text } from './client.ts';
import { callWithRetries } from './retries.fixture.ts';

const atrium = await startAtrium();
afterAll(() => atrium[Symbol.asyncDispose]());
const notesUrl = atrium.urls.notes;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let ada: Person;
let bob: Person;
beforeAll(async () => {
  ada = await makePerson(atrium.urls.auth, atrium.mailbox, 'ada');
  bob = await makePerson(atrium.urls.auth, atrium.mailbox, 'bob');
});

async function makeWorkspace(owner: Person, name: string): Promise<string> {
  const answer = await call('POST', `${notesUrl}/api/workspaces`, {
    token: owner.accessToken,
    body: { name, description: 'for a test' },
  });
  expect(answer.status).toBe(201);
  return text(answer.body, 'id');
}

function makeNote(owner: Person, workspaceId: string, body: Record<string, unknown>) {
  return callWithRetries('POST', `${notesUrl}/api/workspaces/${workspaceId}/notes`, {
    token: owner.accessToken,
    body,
  });
}

function search(owner: Person, query: Record<string, string>) {
  return call('GET', `${notesUrl}/api/search?${new URLSearchParams(query).toString()}`, {
    token: owner.accessToken,
  });
}

describe('workspaces', () => {
  test('a new workspace is answered whole and listed', async () => {
    const answer = await call('POST', `${notesUrl}/api/workspaces`, {
      token: ada.accessToken,
      body: { name: 'Plans', description: 'What comes next' },
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      id: expect.stringMatching(/^ws_[0-9a-hjkmnp-tv-z]{26}$/),
      name: 'Plans',
      description: 'What comes next',
      noteCount: 0,
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const list = await call('GET', `${notesUrl}/api/workspaces`, { token: ada.accessToken });
    expect(list.status).toBe(200);
    expect(list.body).toEqual({ data: [answer.body], nextCursor: null });
  });

  test.each([
    ['GET', '/api/workspaces'],
    ['POST', '/api/workspaces'],
    ['POST', '/api/workspaces/ws_00000000000000000000000000/notes'],
    ['GET', '/api/search?q=x'],
  ])('%s %s without a token is 401', async (method, path) => {
    const answer = await call(method, `${notesUrl}${path}`);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: 'Unauthorized', message: expect.any(String) });
  });

  test('another account does not find it', async () => {
    const id = await makeWorkspace(ada, 'Private');
    const answer = await makeNote(bob, id, { title: 'Intruder' });
    expect([answer.status, answer.body['error']]).toEqual([404, 'Not Found']);
  });
});

describe('notes', () => {
  test('a new note is answered with its id and tags', async () => {
    const workspaceId = await makeWorkspace(ada, 'Notes');
    const answer = await makeNote(ada, workspaceId, {
      title: 'Autumn',
      content: '# Leaves',
      tags: ['season'],
      pinned: true,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      id: expect.stringMatching(/^note_[0-9a-hjkmnp-tv-z]{26}$/),
      title: 'Autumn',
      content: '# Leaves',
      tags: ['season'],
      pinned: true,
    });
  });

  test('50 KB of UTF-8 fit on the free plan, one byte more does not', async () => {
    const workspaceId = await makeWorkspace(ada, 'Sizes');
    const fits = await makeNote(ada, workspaceId, { title: 'Fits', content: 'é'.repeat(25_600) });
    expect(fits.status).toBe(201);
    const tooLarge = await makeNote(ada, workspaceId, {
      title: 'Too large',
      content: `${'é'.repeat(25_600)}.`,
    });
    expect([tooLarge.status, tooLarge.body['error']]).toEqual([403, 'Plan Limit Exceeded']);
  });

  test('of 120 parallel notes beside one on the free plan 99 succeed, 21 exceed', async () => {
    const owner = await makePerson(atrium.urls.auth, atrium.mailbox, 'crowded');
    const workspaceId = await makeWorkspace(owner, 'Crowded');
    await makeNote(owner, workspaceId, { title: 'The first' });
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, n) => makeNote(owner, workspaceId, { title: `Note ${n}` })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(99);
    const refused = answers.filter((answer) => answer.status === 403);
    expect(refused).toHaveLength(21);
    for (const { body } of refused) expect(body['error']).toBe('Plan Limit Exceeded');
  });

  test('the sixth workspace exceeds the free plan, also under parallel requests', async () => {
    const owner = await makePerson(atrium.urls.auth, atrium.mailbox, 'six');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        callWithRetries('POST', `${notesUrl}/api/workspaces`, {
          token: owner.accessToken,
          body: { name: `W${n}`, description: '' },
        }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(5);
    expect(answers.filter((answer) => answer.status === 403)).toHaveLength(3);
  });
});

describe('search', () => {
  test('finds in all workspaces of the caller, or in one, and marks the terms', async () => {
    const owner = await makePerson(atrium.urls.auth, atrium.mailbox, 'searcher');
    const first = await makeWorkspace(owner, 'First');
    const second = await makeWorkspace(owner, 'Second');
    await makeNote(owner, first, { title: 'Birds', content: 'A heron stands in the water.' });
    await makeNote(owner, second, { title: 'Walk', content: 'We saw a heron at dusk.' });

    const all = await search(owner, { q: 'heron' });
    expect(all.status).toBe(200);
    expect(all.body).toMatchObject({ total: 2, query: 'heron' });
    const one = await search(owner, { q: 'heron', workspace: second });
    expect(one.body['results']).toEqual([
      {
        id: expect.stringMatching(/^note_/),
        title: 'Walk',
        snippet: expect.stringContaining('**heron**'),
        workspaceId: second,
        workspaceName: 'Second',
        relevance: expect.any(Number),
      },
    ]);
    expect((await search(ada, { q: 'heron' })).body).toMatchObject({ total: 0, results: [] });
  });

  test('without q the request is bad', async () => {
    const answer = await search(ada, {});
    expect([answer.status, answer.body['error']]).toEqual([400, 'Bad Request']);
  });
});
