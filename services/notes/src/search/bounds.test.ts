import { newId } from '@atrium/contracts/ids';
import type { Sql } from '@atrium/service-kit/database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addToIndex } from '../search-index/store.ts';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { readBlocks } from './ranking/postings.ts';
import { search, titlesFor } from './search.fixture.ts';
import { searchNotes } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

describe('an account with 300 workspaces', () => {
  const accountId = newId('usr');
  let call: Caller;
  beforeAll(async () => {
    call = app.as({ sub: accountId, plan: 'pro' });
    await newWorkspace(call);
    await app.database.query(
      `WITH added AS (
         INSERT INTO workspaces (id, owner_id, name)
         SELECT 'ws_' || lpad(n::text, 26, '0'), $1, 'Workspace ' || n
         FROM generate_series(1, 299) AS n RETURNING id
       )
       INSERT INTO members (account_id, workspace_id, role) SELECT $1, id, 'owner' FROM added`,
      [accountId],
    );
    const rows = await app.database.query<{ id: string }>(
      'SELECT id FROM workspaces WHERE owner_id = $1 ORDER BY id',
      [accountId],
    );
    await Promise.all(
      rows.map(({ id }, n) =>
        newNote(call, id, { title: `Note ${n}`, content: `common words and ${wordOf(n)}` }),
      ),
    );
  });

  test('finds and corrects a word of any of them', async () => {
    const { total, results } = await search(call, `${wordOf(0)} ${wordOf(299)} `);
    expect([total, results.map(({ title }) => title).toSorted()]).toEqual([
      2,
      ['Note 0', 'Note 299'],
    ]);
    const misspelt = `${wordOf(7)}x ${wordOf(150).replace('o', 'a')} `;
    const corrected = await search(call, misspelt);
    expect([corrected.didYouMean, corrected.total, corrected.isPartial]).toEqual([
      `${wordOf(7)} ${wordOf(150)} `,
      2,
      false,
    ]);
  });

  test('is searched with as many statements as an account with one', async () => {
    const single = newId('usr');
    const own = app.as({ sub: single });
    await newNote(own, await newWorkspace(own), { title: 'Note', content: `common ${wordOf(7)}` });
    const statementsFor = async (account: string) => {
      let count = 0;
      const sql: Sql = {
        query(text, values) {
          count += 1;
          return app.database.query(text, values);
        },
      };
      const request = { accountId: account, query: `${wordOf(7)}x common`, limit: 10, offset: 0 };
      expect((await searchNotes(sql, request))?.total).toBeGreaterThan(0);
      return count;
    };
    expect(await statementsFor(accountId)).toBe(await statementsFor(single));
  });
});

/** No two of them differ by one letter only. */
function wordOf(n: number): string {
  const letter = (value: number) => String.fromCharCode(97 + value);
  const [high, low] = [letter(Math.floor(n / 20)), letter(n % 20)];
  return `z${high}${high}${low}${low}${high}${low}ono`;
}

describe('more words that begin alike than one search may compare', () => {
  let call: Caller;
  beforeAll(async () => {
    call = app.as({ plan: 'pro' });
    const workspaceId = await newWorkspace(call);
    for (const title of ['conc', 'conca']) {
      const words = Array.from({ length: 4000 }, (_, n) => `${title}${n.toString(36)}`);
      await newNote(call, workspaceId, { title, content: words.join(' ') });
    }
  });

  test('leave the word itself to be found, and the answer is partial', async () => {
    const { results, isPartial } = await search(call, 'conc2s ');
    expect([results.map(({ title }) => title), isPartial]).toEqual([['conc'], true]);
    expect((await search(call, 'unrelated ')).isPartial).toBe(false);
  });
});

test.each([10, 100])(
  'a match at the end of a long note is shown among %i results',
  async (limit) => {
    const call = app.as();
    const workspaceId = await newWorkspace(call);
    for (let n = 0; n < 4; n += 1) {
      await newNote(call, workspaceId, {
        title: 'Long',
        content: `${'filler '.repeat(5000)} herons`,
      });
    }
    const { results } = await search(call, 'herons', `&limit=${limit}`);
    expect(results.map(({ snippet }) => snippet.endsWith('filler **herons**'))).toEqual(
      Array.from({ length: 4 }, () => true),
    );
  },
);

test('the text that one search reads for snippets is bounded', async () => {
  const accountId = newId('usr');
  const call = app.as({ sub: accountId, plan: 'pro' });
  const workspaceId = await newWorkspace(call);
  // Matched by their titles, so that their whole text is looked through.
  for (let n = 0; n < 20; n += 1) {
    await newNote(call, workspaceId, { title: 'Herons', content: 'filler '.repeat(7000) });
  }
  let beginnings = 0;
  let rests = 0;
  const sql: Sql = {
    async query<Row extends object>(text: string, values?: readonly unknown[]) {
      const rows = await app.database.query<Row & { beginning?: string; rest?: string }>(
        text,
        values,
      );
      for (const { beginning = '', rest = '' } of rows) {
        beginnings += beginning.length;
        rests += rest.length;
      }
      return rows;
    },
  };
  const request = { accountId, query: 'herons', limit: 20, offset: 0 };
  expect((await searchNotes(sql, request))?.results).toHaveLength(20);
  expect([beginnings <= 250_000, rests > 0, rests <= 500_000]).toEqual([true, true, true]);
});

describe('conditions without words', () => {
  test('list the notes of several workspaces, the newest first', async () => {
    const call = app.as();
    const [first, second] = [await newWorkspace(call), await newWorkspace(call)];
    for (const [title, workspaceId] of [
      ['oldest', first],
      ['older', first],
      ['newer', second],
      ['newest', first],
    ]) {
      await newNote(call, workspaceId ?? '', { title, tags: ['listed'] });
    }
    const newestFirst = ['newest', 'newer', 'older', 'oldest'];
    expect(await titlesFor(call, 'tag:listed')).toEqual(newestFirst);
    expect(await titlesFor(call, 'updated:>2020-01-01')).toEqual(newestFirst);
  });
});

describe('an account with more notes than one search reads the dates of', () => {
  const accountId = newId('usr');
  let call: Caller;
  beforeAll(async () => {
    call = app.as({ sub: accountId, plan: 'pro' });
    const workspaceId = await newWorkspace(call);
    await newNote(call, workspaceId, { title: 'The oldest', content: 'herons' });
    await app.database.query(
      `INSERT INTO notes (id, workspace_id, title)
       SELECT 'note_1' || lpad(n::text, 25, '0'), $1, 'Copy' FROM generate_series(1, 5000) AS n`,
      [workspaceId],
    );
    await app.database.query(
      `INSERT INTO search_notes (workspace_number, note_number, note_id, language, length, words, weights, profile)
       SELECT number, n + 1, 'note_1' || lpad(n::text, 25, '0'), 'english', 1, '', '', ''
       FROM search_workspaces, generate_series(1, 5000) AS n WHERE workspace_id = $1`,
      [workspaceId],
    );
    await app.database.query(
      'UPDATE search_workspaces SET note_count = 5001 WHERE workspace_id = $1',
      [workspaceId],
    );
  });

  test('gets a partial list of the newest by their dates', async () => {
    const { total, isPartial, results } = await search(call, 'updated:>2000-01-01');
    expect([total, isPartial, results[0]?.id]).toEqual([
      5000,
      true,
      `note_1${'5000'.padStart(25, '0')}`,
    ]);
  });

  test('finds the oldest note by its words and its date', async () => {
    const { total, isPartial } = await search(call, 'herons updated:>2000-01-01');
    expect([total, isPartial]).toEqual([1, false]);
  });
});

describe('more index rows than one search may read', () => {
  test('are read for conditions first, then for the rarest words', async () => {
    const workspaceIds = [newId('ws'), newId('ws'), newId('ws')];
    const numbers: number[] = [];
    for (const [index, workspaceId] of workspaceIds.entries()) {
      const content = index === 2 ? 'frequent rare unwanted' : 'frequent unwanted';
      const note = { id: newId('note'), workspaceId, title: 'T', content, tags: [] };
      await addToIndex(app.database, note.workspaceId, [note]);
      const [row] = await app.database.query<{ number: number }>(
        'SELECT number FROM search_workspaces WHERE workspace_id = $1',
        [workspaceId],
      );
      numbers.push(row?.number ?? 0);
    }
    const termOf = (word: string, where: number[]) => ({
      word,
      weight: 1,
      blocks: new Map(where.map((number) => [number, 1])),
      rows: where.length,
    });
    const { blocksOf, isPartial } = await readBlocks(
      app.database,
      [termOf('unwanted', numbers)],
      [termOf('frequent', numbers), termOf('rare', numbers.slice(2))],
      5,
    );
    const counts = ['unwanted', 'rare', 'frequent'].map((word) => blocksOf.get(word)?.length);
    expect([counts, isPartial]).toEqual([[3, 1, 1], true]);
  });
});
