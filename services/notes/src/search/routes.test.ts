import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
let call: Caller;
let garden: string;
let kitchen: string;
beforeAll(async () => {
  app = await startTestApp();
  call = app.as();
  garden = await newWorkspace(call, 'Garden');
  kitchen = await newWorkspace(call, 'Kitchen');
  await newNote(call, garden, {
    title: 'Tomatoes',
    content: 'They want **sun** and water. Plant them after the last frost.',
  });
  await newNote(call, garden, {
    title: 'Diary',
    content: 'Watered everything. One of the tomatoes has fallen over.',
    tags: ['Balcony'],
  });
  await newNote(call, kitchen, { title: 'Soup', content: 'Tomatoes, onions, Crème fraîche' });
  const stranger = app.as();
  await newNote(stranger, await newWorkspace(stranger), { title: 'Tomatoes of a stranger' });
});
afterAll(() => app[Symbol.asyncDispose]());

interface Hit {
  title: string;
  snippet: string;
  relevance: number;
}

async function search(query: string, more = '') {
  const { body } = await call('GET', `/api/search?q=${encodeURIComponent(query)}${more}`);
  return body as { results: Hit[]; total: number; query: string };
}

async function titles(query: string): Promise<string[]> {
  return (await search(query)).results.map((hit) => hit.title).toSorted();
}

describe('search', () => {
  test('covers all workspaces of the caller, the best first', async () => {
    const { results, total, query } = await search('tomatoes');
    expect({ total, query }).toEqual({ total: 3, query: 'tomatoes' });
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^note_/),
      title: 'Tomatoes',
      snippet: '**Tomatoes**',
      workspaceId: garden,
      workspaceName: 'Garden',
      relevance: expect.any(Number),
    });
    for (const { relevance, snippet } of results) {
      expect(relevance).toBeGreaterThan(0);
      expect(relevance).toBeLessThanOrEqual(1);
      expect(snippet).toMatch(/\*\*tomatoes\*\*/i);
    }
  });

  test('marks matches and nothing else', async () => {
    const [hit] = (await search('frost')).results;
    expect(hit?.snippet).toContain('last **frost**');
    expect(hit?.snippet).not.toContain('**sun**');
  });

  test('with a workspace covers only that one', async () => {
    const { results, total } = await search('tomatoes', `&workspace=${kitchen}`);
    expect({ total, title: results[0]?.title }).toEqual({ total: 1, title: 'Soup' });
  });

  test.each([
    ['tomatoes frost', ['Tomatoes']],
    ['frost or onions', ['Soup', 'Tomatoes']],
    ['tomatoes -frost', ['Diary', 'Soup']],
    ['"last frost"', ['Tomatoes']],
    ['"frost last"', []],
    ['balcony', ['Diary']],
    ['CRÈME', ['Soup']],
    ['oni', ['Soup']],
    ['oni ', []],
    ['water', ['Diary', 'Tomatoes']],
    ["':*|&!<->", []],
    ['"unfinished', []],
  ])('understands %s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('limits the results and still counts them all', async () => {
    const { results, total } = await search('tomatoes', '&limit=1');
    expect({ results: results.length, total }).toEqual({ results: 1, total: 3 });
  });

  test.each([
    ['', 400, 'Bad Request'],
    ['?q=', 422, 'Validation Error'],
    ['?q=%20', 422, 'Validation Error'],
    [`?q=${'q'.repeat(201)}`, 422, 'Validation Error'],
    ['?q=a&limit=0', 422, 'Validation Error'],
    ['?q=a&limit=101', 422, 'Validation Error'],
    [`?q=a&workspace=${newId('ws')}`, 404, 'Not Found'],
  ])('answers %s with %i', async (query, status, error) => {
    expect(await call('GET', `/api/search${query}`)).toMatchObject({ status, body: { error } });
  });

  test('refuses a workspace of somebody else', async () => {
    const answer = await app.as()('GET', `/api/search?q=a&workspace=${garden}`);
    expect(answer).toMatchObject({ status: 404, body: { message: 'Workspace not found' } });
  });

  test('finds what a change brought and no longer what it took', async () => {
    const id = await newNote(call, kitchen, { title: 'Bread', content: 'rye' });
    await call('PATCH', `/api/notes/${id}`, { content: 'spelt' }, { 'if-match': '*' });
    expect([await titles('rye'), await titles('spelt')]).toEqual([[], ['Bread']]);
  });
});
