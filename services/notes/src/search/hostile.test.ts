import { promisify } from 'node:util';
import { until } from '@atrium/testkit/until';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { search } from './search.fixture.ts';

let app: TestApp;
let call: Caller;
let workspaceId: string;
beforeAll(async () => {
  app = await startTestApp();
  call = app.as();
  workspaceId = await newWorkspace(call);
  await newNote(call, workspaceId, { title: 'Quiet', content: 'An ordinary note about herons.' });
});
afterAll(() => app[Symbol.asyncDispose]());

describe('hostile notes', () => {
  test.each([
    ['one word of 50 KB', 'x'.repeat(51_200)],
    ['25,600 words of one letter', 'a_'.repeat(25_600)],
    ['two words repeated', 'aa bb '.repeat(8500)],
    ['12,000 different words', Array.from({ length: 12_000 }, (_, n) => n.toString(36)).join(' ')],
    ['one sentence of Chinese', '图书馆里有很多中文书'.repeat(1700)],
    ['combining marks', `e${'\u0301'.repeat(20_000)}`],
    ['letters that grow when folded', '\ufdfa'.repeat(17_000)],
    ['brackets', '['.repeat(20_000) + '!['.repeat(10_000)],
    ['unclosed tags', '<a'.repeat(20_000)],
    ['every Unicode plane', planes()],
  ])('%s are stored, and other notes found beside them', async (_what, content) => {
    const own = app.as();
    const id = await newWorkspace(own);
    const note = await newNote(own, id, { title: 'Loud herons', content });
    await newNote(own, id, { title: 'Quiet', content: 'An ordinary note about herons.' });
    expect((await search(own, 'herons')).total).toBe(2);
    expect((await search(own, 'aa herons')).results.map((hit) => hit.id)).toContain(note);
    const change = await own('PATCH', `/api/notes/${note}`, { content: 'x' }, { 'if-match': '*' });
    expect(change.status).toBe(200);
    expect((await own('DELETE', `/api/notes/${note}`)).status).toBe(204);
  });

  test.each([
    ['that grow when folded', '\ufdfa'.repeat(48)],
    ['of every Unicode plane', planes().slice(0, 40).toWellFormed()],
  ])('as many tags as are allowed, %s, are stored and found', async (_what, tag) => {
    const tags = Array.from({ length: 20 }, (_, n) => `${String.fromCharCode(97 + n)}${tag}`);
    const own = app.as();
    await newNote(own, await newWorkspace(own), { title: 'Tagged', tags });
    expect((await search(own, `tag:"${tags[7]}"`)).total).toBe(1);
  });

  test.each([
    ['10,000 tags', Array.from({ length: 10_000 }, (_, n) => `tag ${n}`)],
    ['a tag of one letter with 3,000 marks', [`a${'\u20d0'.repeat(3000)}`]],
  ])('%s are refused with 422', async (_what, tags) => {
    const path = `/api/workspaces/${workspaceId}/notes`;
    expect((await call('POST', path, { title: 'Tags', tags })).status).toBe(422);
  });
});

describe('hostile queries', () => {
  test('of any text are answered', async () => {
    const operators = fc.constantFrom(...OPERATORS);
    const query = fc.oneof(
      fc.array(operators, { minLength: 1, maxLength: 300 }).map((parts) => parts.join('')),
      fc
        .string({ unit: 'binary', minLength: 1, maxLength: 500 })
        .map((text) => text.toWellFormed()),
      fc.constantFrom(
        planes().slice(0, 990),
        'a '.repeat(500),
        '"a" '.repeat(250),
        '-a '.repeat(333),
        '-'.repeat(33),
        `a ${'-'.repeat(32)}`,
      ),
    );
    await fc.assert(
      fc.asyncProperty(query, async (text) => {
        const q = encodeURIComponent(text.slice(0, 1000).toWellFormed());
        for (const path of ['/api/search', '/api/search/titles']) {
          const { status } = await call('GET', `${path}?q=${q}`);
          expect([200, 422]).toContain(status);
        }
      }),
      { numRuns: 100 },
    );
  });
});

test('corrects eight misspelt words of a query and no more', async () => {
  const own = app.as();
  const right = 'zebra tiger camel otter lemur hyena sloth bison moose'.split(' ');
  const wrong = right.map((word) => `${word}q`);
  await newNote(own, await newWorkspace(own), { title: 'Zoo', content: right.join(' ') });
  const { didYouMean } = await search(own, `${wrong.join(' ')} `);
  expect(didYouMean?.trim().split(' ')).toEqual([...right.slice(0, 8), wrong[8]]);
});

describe('a search that exceeds the statement timeout', () => {
  test('has used a connection for a second', async () => {
    const [shown] = await app.searchDatabase.query('SHOW statement_timeout');
    expect(shown).toEqual({ statement_timeout: '1s' });
  });

  test('answers 503, while other requests and later searches go on', async () => {
    await app.database.transaction({ job: 'test' }, async (tx) => {
      // Every search reads this table, and no other request does.
      await tx.query('LOCK TABLE search_workspaces IN ACCESS EXCLUSIVE MODE');
      for (const path of ['/api/search', '/api/search/titles']) {
        const { status, body, headers } = await call('GET', `${path}?q=herons`);
        expect([status, headers['retry-after']]).toEqual([503, '5']);
        expect(body).toEqual({
          error: 'Service Unavailable',
          message: 'The service is temporarily unavailable, please try again shortly',
        });
      }
      expect((await call('GET', '/api/workspaces')).status).toBe(200);
      expect((await call('GET', '/readyz')).status).toBe(200);
    });
    expect((await search(call, 'herons')).total).toBe(1);
    expect((await call('GET', '/api/search/titles?q=quiet')).body['data']).toHaveLength(1);
  });
});

describe('searches of one account', () => {
  test('are limited by both routes together', async () => {
    const own = app.as();
    const statuses: number[] = [];
    const release = await blockSearches();
    const answers = Array.from({ length: 22 }, async (_, n) => {
      const path = n % 2 === 0 ? '/api/search' : '/api/search/titles';
      statuses.push((await own('GET', `${path}?q=herons`)).status);
    });
    await until(() => statuses.length > 0);
    release();
    await Promise.all(answers);
    expect(statuses).toEqual([429, ...Array.from({ length: 21 }, () => 200)]);
  });

  test('are not run when their client has gone before their turn', async () => {
    const { server } = app.server;
    const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
    const headers = { authorization: `Bearer ${app.token()}` };
    const url = `${origin}/api/search?q=herons`;
    const statuses: (number | 'gone')[] = [];
    const leaving = new AbortController();
    const release = await blockSearches();
    const asked = Array.from({ length: 22 }, async () => {
      const answer = await fetch(url, { headers, signal: leaving.signal }).catch(() => null);
      statuses.push(answer?.status ?? 'gone');
    });
    await until(() => statuses.includes(429));
    leaving.abort();
    await Promise.all(asked);
    // The connection of the 429 stays open.
    await until(async () => (await promisify(server.getConnections.bind(server))()) <= 1);
    using queries = vi.spyOn(app.searchDatabase, 'query');
    release();
    // Searches whose client has gone leave when the first has ended; until then this one gets 429.
    await until(async () => (await fetch(url, { headers })).status === 200);
    const begun = queries.mock.calls.filter(([sql]) => sql.includes('FROM search_workspaces'));
    // The first had its turn before its client went.
    expect(begun).toHaveLength(2);
  });
});

/** No search reads anything until the function that it returns is called. */
async function blockSearches(): Promise<() => void> {
  const { pool } = app.searchDatabase;
  const clients = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  return () => {
    for (const client of clients) client.release();
  };
}

const OPERATORS =
  '" - tag: in: updated:> updated:2026-01-01 updated:<2999-99-99 herons 東京 :* & | ! ( ) <-> \\ \' % \0 ^ # *'
    .split(' ')
    .concat(' ');

/** A letter or symbol of each of the 17 planes, many times. */
function planes(): string {
  const codes = Array.from({ length: 17 }, (_, plane) => plane * 0x10000 + 0xa0);
  return String.fromCodePoint(...codes).repeat(100);
}
