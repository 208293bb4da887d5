import { newId } from '@atrium/contracts/ids';
import { untilBlocked } from '@atrium/testkit/locks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { search, titlesFor } from './search.fixture.ts';

let app: TestApp;
let call: Caller;
let garden: string;
let kitchen: string;
beforeAll(async () => {
  app = await startTestApp();
  call = app.as();
  garden = await newWorkspace(call, 'My Garden');
  kitchen = await newWorkspace(call, 'Kitchen');
  await newNote(call, garden, {
    title: 'Tomatoes',
    content: 'They want **sun** and water. Plant them after the last frost.',
  });
  await newNote(call, garden, {
    title: 'Diary',
    content: 'Watered everything. One of the tomatoes has fallen over.',
    tags: ['Balcony', 'to do'],
  });
  await newNote(call, kitchen, { title: 'Soup', content: 'Tomatoes, onions, Crème fraîche' });
  const other = app.as();
  await newNote(other, await newWorkspace(other), { title: 'Tomatoes of another account' });
});
afterAll(() => app[Symbol.asyncDispose]());

describe('GET /api/search', () => {
  test('covers all workspaces of the caller, the best first', async () => {
    const { results, ...rest } = await search(call, 'tomatoes');
    expect(rest).toEqual({
      total: 3,
      query: 'tomatoes',
      nextCursor: null,
      didYouMean: null,
      isPartial: false,
    });
    expect(results[0]).toEqual({
      id: expect.stringMatching(/^note_/),
      title: 'Tomatoes',
      snippet: '**Tomatoes**',
      workspaceId: garden,
      workspaceName: 'My Garden',
      relevance: expect.any(Number),
    });
    const relevances = results.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((a, b) => b - a));
    for (const { relevance, snippet } of results) {
      expect(relevance).toBeGreaterThan(0);
      expect(relevance).toBeLessThanOrEqual(1);
      expect(snippet).toMatch(/\*\*tomatoes\*\*/i);
    }
  });

  test('has the fields of an answer in the order of the interface', async () => {
    const { body } = await call('GET', '/api/search?q=frost');
    expect(Object.keys(body).slice(0, 3)).toEqual(['results', 'total', 'query']);
  });

  test('covers only the workspace that is given', async () => {
    const { results, total } = await search(call, 'tomatoes', `&workspace=${kitchen}`);
    expect({ total, title: results[0]?.title }).toEqual({ total: 1, title: 'Soup' });
  });

  test('pages through the results', async () => {
    const all = await titlesFor(call, 'tomatoes');
    const first = await search(call, 'tomatoes', '&limit=2');
    const second = await search(call, 'tomatoes', `&limit=2&cursor=${first.nextCursor}`);
    expect([first.total, second.nextCursor]).toEqual([3, null]);
    expect([...first.results, ...second.results].map(({ title }) => title)).toEqual(all);
  });

  test.each([
    ['', 400, 'Bad Request'],
    ['?q=', 422, 'Validation Error'],
    ['?q=%20', 422, 'Validation Error'],
    [`?q=${'q'.repeat(1001)}`, 422, 'Validation Error'],
    ['?q=a&limit=0', 422, 'Validation Error'],
    ['?q=a&limit=101', 422, 'Validation Error'],
    ['?q=a&cursor=WzEuNV0', 422, 'Validation Error'],
    [`?q=a&workspace=${newId('ws')}`, 404, 'Not Found'],
  ])('answers %s with %i', async (query, status, error) => {
    expect(await call('GET', `/api/search${query}`)).toMatchObject({ status, body: { error } });
  });

  test('returns 404 for a workspace of another account', async () => {
    const answer = await app.as()('GET', `/api/search?q=a&workspace=${garden}`);
    expect(answer).toMatchObject({ status: 404, body: { message: 'Workspace not found' } });
  });

  test('follows the changes of a note', async () => {
    const id = await newNote(call, kitchen, { title: 'Bread', content: 'rye' });
    await call('PATCH', `/api/notes/${id}`, { content: 'spelt' }, { 'if-match': '*' });
    expect([await titlesFor(call, 'rye'), await titlesFor(call, 'spelt')]).toEqual([[], ['Bread']]);
    await call('DELETE', `/api/notes/${id}`);
    expect(await titlesFor(call, 'spelt')).toEqual([]);
  });

  test.each([
    ['deleted', '/api/search', 'deleted_at = now()'],
    ['moved', '/api/search', 'workspace_id = $2'],
    ['deleted', '/api/search/titles', 'deleted_at = now()'],
    ['moved', '/api/search/titles', 'workspace_id = $2'],
  ])('leaves out a note that is %s while %s finds it', async (_how, path, change) => {
    const id = await newNote(call, garden, { title: 'Marigold' });
    const foreign = await newWorkspace(app.as());
    const find = async () => (await call('GET', `${path}?q=marigold`)).body;
    const { answer } = await app.database.transaction({ job: 'test' }, async (tx) => {
      await tx.query('LOCK TABLE notes IN ACCESS EXCLUSIVE MODE');
      const asked = find();
      // By then it has been chosen, and is about to be read.
      await untilBlocked(app.database);
      const values = change.includes('$2') ? [id, foreign] : [id];
      await tx.query(`UPDATE notes SET ${change} WHERE id = $1`, values);
      return { answer: asked };
    });
    const body = await answer;
    expect(body['results'] ?? body['data']).toEqual([]);
  });

  test('finds no words of the paths of attachments and linked notes', async () => {
    const path = `/api/attachments/${newId('fil')}/content`;
    const content = `![Plan of the beds](${path}), [seeds](/notes/${newId('note')}) and https://a.example/oaks`;
    const workspaceId = await newWorkspace(call);
    await newNote(call, workspaceId, { title: 'Paths', content });
    const total = async (word: string) =>
      (await search(call, word, `&workspace=${workspaceId}`)).total;
    for (const word of ['api', 'attachments', 'content', 'notes', 'note']) {
      expect([word, await total(word)]).toEqual([word, 0]);
    }
    for (const word of ['beds', 'seeds', 'oaks'])
      expect([word, await total(word)]).toEqual([word, 1]);
  });

  test('no longer finds the notes of a deleted workspace', async () => {
    const id = await newWorkspace(call);
    await newNote(call, id, { title: 'Temporary', content: 'ephemeral' });
    await call('DELETE', `/api/workspaces/${id}`);
    expect(await titlesFor(call, 'ephemeral')).toEqual([]);
  });
});

describe('the query', () => {
  test.each([
    ['frost or onions', ['Soup', 'Tomatoes']],
    ['tomatoes -frost', ['Diary', 'Soup']],
    ['"last frost"', ['Tomatoes']],
    ['"frost last"', []],
    ['balcony', ['Diary']],
    ['CRÈME', ['Soup']],
    ['creme fraiche', ['Soup']],
    ['oni', ['Soup']],
    ['oni ', []],
    ['watering', ['Diary', 'Tomatoes']],
    ['tag:balcony', ['Diary']],
    ['tag:"to do" tomatoes', ['Diary']],
    ['tomatoes -tag:balcony', ['Soup', 'Tomatoes']],
    ['in:kitchen tomatoes', ['Soup']],
    ['in:"my garden"', ['Diary', 'Tomatoes']],
    ['in:attic tomatoes', []],
    ['tomatoes updated:>2020-01-01', ['Diary', 'Soup', 'Tomatoes']],
    ['tomatoes updated:<2020-01-01', []],
    ['updated:>=2020-01-01 tag:balcony', ['Diary']],
    ["':*|&!<->", []],
    ['"unfinished', []],
    ['-'.repeat(33), []],
    [`word${'-'.repeat(32)}`, []],
  ])('%s finds %j', async (query, expected) => {
    expect((await titlesFor(call, query)).toSorted()).toEqual(expected);
  });

  test('does not need all words and puts notes with more of them first', async () => {
    expect((await titlesFor(call, 'frost tomatoes sun'))[0]).toBe('Tomatoes');
    expect(await titlesFor(call, 'frost tomatoes sun')).toHaveLength(3);
  });

  test('puts a word in the title before one in the content', async () => {
    const own = app.as();
    const id = await newWorkspace(own);
    await newNote(own, id, { title: 'Other', content: 'Something about herons in the water' });
    await newNote(own, id, { title: 'Herons', content: 'Something about birds in the water' });
    expect(await titlesFor(own, 'herons')).toEqual(['Herons', 'Other']);
  });

  test('finds a title of words that are too common for the content', async () => {
    const own = app.as();
    const id = await newWorkspace(own);
    await newNote(own, id, { title: 'To be or not to be', content: 'A soliloquy' });
    await newNote(own, id, { title: 'Other', content: 'What is to be done is not to be known' });
    expect(await titlesFor(own, 'to be or not to be ')).toEqual(['To be or not to be']);
  });
});

describe('GET /api/search/titles', () => {
  const titles = async (query: string) => {
    const { body } = await call('GET', `/api/search/titles?q=${encodeURIComponent(query)}`);
    return (body['data'] as { title: string }[]).map(({ title }) => title);
  };

  test.each([
    ['t', ['Tomatoes']],
    ['toma', ['Tomatoes']],
    ['so', ['Soup']],
    ['onions', []],
    ['  ', []],
  ])('%j finds %j', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('finds words in any order and puts titles that begin with the query first', async () => {
    const id = await newWorkspace(call);
    await newNote(call, id, { title: 'Quarterly report' });
    await newNote(call, id, { title: 'Report of the quarter' });
    expect(await titles('report quar')).toEqual(['Report of the quarter', 'Quarterly report']);
    expect(await titles('quarterly rep')).toEqual(['Quarterly report']);
  });

  test('covers only the workspace that is given, however many titles others have', async () => {
    const own = app.as({ plan: 'pro' });
    const [here, there] = [await newWorkspace(own), await newWorkspace(own)];
    await newNote(own, here, { title: 'Plums' });
    for (let index = 0; index <= 50; index += 1) {
      await newNote(own, there, { title: `Plums ${index}` });
    }
    const path = '/api/search/titles?q=plums&limit=50';
    const { body } = await own('GET', `${path}&workspace=${here}`);
    expect(body['data']).toEqual([expect.objectContaining({ title: 'Plums', workspaceId: here })]);
    expect((await own('GET', `${path}&workspace=${garden}`)).status).toBe(404);
  });
});
