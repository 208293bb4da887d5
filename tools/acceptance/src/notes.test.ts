import { beforeAll, describe, expect, test } from 'vitest';
import { createPerson, type Person } from './accounts.ts';
import { sharedAtrium } from './shared-atrium.fixture.ts';
import { type ApiResponse, call, text } from './client.ts';
import { callWithRetries } from './retries.fixture.ts';

const atrium = await sharedAtrium();
const notesUrl = atrium.urls.notes;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let ada: Person;
let bob: Person;
beforeAll(async () => {
  ada = await createPerson(atrium.urls.auth, atrium.mailbox, 'ada');
  bob = await createPerson(atrium.urls.auth, atrium.mailbox, 'bob');
});

async function createWorkspace(owner: Person, name: string): Promise<string> {
  const response = await call('POST', `${notesUrl}/api/workspaces`, {
    token: owner.accessToken,
    body: { name, description: 'for a test' },
  });
  expect(response.status).toBe(201);
  return text(response.body, 'id');
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
  test('creating one returns it, and the list contains it', async () => {
    const response = await call('POST', `${notesUrl}/api/workspaces`, {
      token: ada.accessToken,
      body: { name: 'Plans', description: 'What comes next' },
    });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      id: expect.stringMatching(/^ws_[0-9a-hjkmnp-tv-z]{26}$/),
      name: 'Plans',
      description: 'What comes next',
      noteCount: 0,
      role: 'owner',
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const list = await call('GET', `${notesUrl}/api/workspaces`, { token: ada.accessToken });
    expect(list.status).toBe(200);
    expect(list.body).toEqual({ data: [response.body], nextCursor: null });
  });

  test.each([
    ['GET', '/api/workspaces'],
    ['POST', '/api/workspaces'],
    ['POST', '/api/workspaces/ws_00000000000000000000000000/notes'],
    ['GET', '/api/search?q=x'],
  ])('%s %s without a token is 401', async (method, path) => {
    const response = await call(method, `${notesUrl}${path}`);
    expect(response.status).toBe(401);
    expect(response.body).toEqual({ error: 'Unauthorized', message: expect.any(String) });
  });

  test('returns 404 to another account', async () => {
    const id = await createWorkspace(ada, 'Private');
    const response = await makeNote(bob, id, { title: 'Intruder' });
    expect([response.status, response.body['error']]).toEqual([404, 'Not Found']);
  });
});

describe('notes', () => {
  test('creating one returns its id and tags', async () => {
    const workspaceId = await createWorkspace(ada, 'Notes');
    const response = await makeNote(ada, workspaceId, {
      title: 'Autumn',
      content: '# Leaves',
      tags: ['season'],
      pinned: true,
    });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      id: expect.stringMatching(/^note_[0-9a-hjkmnp-tv-z]{26}$/),
      title: 'Autumn',
      content: '# Leaves',
      tags: ['season'],
      pinned: true,
    });
  });

  test('the free plan allows 50 KB of UTF-8 and not one byte more', async () => {
    const workspaceId = await createWorkspace(ada, 'Sizes');
    const fits = await makeNote(ada, workspaceId, { title: 'Fits', content: 'é'.repeat(25_600) });
    expect(fits.status).toBe(201);
    const tooLarge = await makeNote(ada, workspaceId, {
      title: 'Too large',
      content: `${'é'.repeat(25_600)}.`,
    });
    expect([tooLarge.status, tooLarge.body['error']]).toEqual([403, 'Plan Limit Exceeded']);
  });

  test('the free plan allows 99 of 120 parallel notes in a workspace with one', async () => {
    const owner = await createPerson(atrium.urls.auth, atrium.mailbox, 'crowded');
    const workspaceId = await createWorkspace(owner, 'Crowded');
    await makeNote(owner, workspaceId, { title: 'The first' });
    const answers: ApiResponse[] = [];
    const numbers = Array.from({ length: 120 }, (_, n) => n).values();
    const makeRemaining = async () => {
      for (const n of numbers) {
        answers.push(await makeNote(owner, workspaceId, { title: `Note ${n}` }));
      }
    };
    // No more at once: the connections of the database are those of all tests.
    await Promise.all(Array.from({ length: 8 }, makeRemaining));
    expect(answers.filter((response) => response.status === 201)).toHaveLength(99);
    const refused = answers.filter((response) => response.status === 403);
    expect(refused).toHaveLength(21);
    for (const { body } of refused) expect(body['error']).toBe('Plan Limit Exceeded');
  });

  test('the free plan allows five workspaces, also under parallel requests', async () => {
    const owner = await createPerson(atrium.urls.auth, atrium.mailbox, 'six');
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        callWithRetries('POST', `${notesUrl}/api/workspaces`, {
          token: owner.accessToken,
          body: { name: `W${n}`, description: '' },
        }),
      ),
    );
    expect(answers.filter((response) => response.status === 201)).toHaveLength(5);
    expect(answers.filter((response) => response.status === 403)).toHaveLength(3);
  });
});

describe('search', () => {
  test('searches all workspaces of the caller, or one, and highlights the terms', async () => {
    const owner = await createPerson(atrium.urls.auth, atrium.mailbox, 'searcher');
    const first = await createWorkspace(owner, 'First');
    const second = await createWorkspace(owner, 'Second');
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

  test('returns 400 without q', async () => {
    const response = await search(ada, {});
    expect([response.status, response.body['error']]).toEqual([400, 'Bad Request']);
  });
});
