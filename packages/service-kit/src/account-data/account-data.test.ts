import { newId } from '@atrium/contracts/ids';
import type { ExportPartData } from '@atrium/contracts/account-messages';
import { createTestDatabase } from '@atrium/testkit/database';
import { TEST_TIMEOUTS } from '@atrium/testkit/timeouts';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../database/database.ts';
import { accountDataHandler, eraseInBatches, pagesById, sendExport } from './account-data.ts';

const MESSAGE_MAX_BYTES = 524_288;

const stack = new AsyncDisposableStack();
const { url } = stack.use(await createTestDatabase('notes'));
const database = stack.use(openDatabase({ url, applicationName: 'kit-test', ...TEST_TIMEOUTS }));
beforeEach(() => database.query('DELETE FROM outbox'));
afterAll(() => stack.disposeAsync());

async function* pages(...given: object[][]) {
  yield* given;
}

const sentParts = () =>
  database.query<{ data: ExportPartData; requestId: string }>(
    'SELECT data, request_id AS "requestId" FROM outbox ORDER BY seq',
  );

// With one of the two prefixes, a message would end within a surrogate pair.
test.each(['', 'a'])(
  'sends an export as one JSON text, cut into messages (prefix %j)',
  async (prefix) => {
    // Also four-byte characters, and what JSON escapes twice.
    const texts = [
      prefix + '🙂'.repeat(200_000),
      '漢'.repeat(300_000),
      '"\\\u0001'.repeat(100_000),
    ];
    const request = { exportId: newId('exp'), accountId: newId('usr') };
    await sendExport(database, request, { requestId: 'req-1' }, 'notes', [
      ['notes', pages([{ text: texts[0] }], [], [{ text: texts[1] }, { text: texts[2] }])],
      ['empty', pages()],
    ]);
    const sent = await sentParts();
    expect(new Set(sent.map(({ requestId }) => requestId))).toEqual(new Set(['req-1']));
    const parts = sent.map(({ data }) => data);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.map(({ number }) => number)).toEqual(parts.map((_, index) => index));
    expect(parts.map(({ isLast }) => isLast)).toEqual(parts.map((_, i) => i === parts.length - 1));
    expect(new Set(parts.map(({ run }) => run)).size).toBe(1);
    const largest = Math.max(...parts.map((part) => Buffer.byteLength(JSON.stringify(part))));
    expect(largest).toBeLessThanOrEqual(MESSAGE_MAX_BYTES);
    expect(JSON.parse(parts.map(({ text }) => text).join(''))).toEqual({
      notes: texts.map((text) => ({ text })),
      empty: [],
    });
  },
);

test('reads every row once, page by page in the order of the id', async () => {
  const rows = Array.from({ length: 25 }, (_, n) => ({ id: `id_${10 + n}` }));
  const sizes: number[] = [];
  const seen: object[] = [];
  const pagesOfTen = pagesById(10, ({ where, take }) => {
    const page = rows.filter(({ id }) => id > where.id.gt).slice(0, take);
    sizes.push(page.length);
    return Promise.resolve(page);
  });
  for await (const page of pagesOfTen) seen.push(...page);
  expect(seen).toEqual(rows);
  expect(sizes).toEqual([10, 10, 5, 0]);
});

test('erases in batches until nothing is left', async () => {
  await database.query(
    `INSERT INTO outbox (id, event, account_id, data)
     SELECT 'evt_' || n, 'go.click', 'usr', '{}' FROM generate_series(1, 25) AS n`,
  );
  const sizes: number[] = [];
  const counting = {
    async query<Row extends object>(text: string, values?: readonly unknown[]): Promise<Row[]> {
      const rows = await database.query<Row>(text, values);
      sizes.push(rows.length);
      return rows;
    },
  };
  const statement = `DELETE FROM outbox WHERE seq IN (
    SELECT seq FROM outbox WHERE event = $1 LIMIT $2) RETURNING seq`;
  await eraseInBatches(counting, statement, ['go.click'], { batch: 10 });
  expect(sizes).toEqual([10, 10, 5, 0]);
});

test('throws for a message of a kind that the service does not handle', async () => {
  const handle = accountDataHandler({
    service: 'notes',
    database,
    erase: async () => undefined,
    collections: () => [],
  });
  const message = {
    id: newId('msg'),
    accountId: newId('usr'),
    createdAt: '2026-01-01T00:00:00.000Z',
  };
  const data = { webhookId: newId('whk'), url: 'https://example.com', reason: 'Gone.' };
  await expect(handle({ ...message, kind: 'webhook.disabled', data })).rejects.toThrow('notes');
});
