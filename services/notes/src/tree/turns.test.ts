import { promisify } from 'node:util';
import { newId } from '@atrium/contracts/ids';
import { withClient } from '@atrium/testkit/connection';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '../test-app.ts';
import { startTree } from './tree.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

/** How many requests of an account may wait for the one that runs. */
const WAITING_MAX = 20;
const COUNT = WAITING_MAX + 4;

/** Statements that wait for a lock. */
const FIND_BLOCKED = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

/** Notes on the first level, each with a note below it. */
async function startBranches() {
  const tree = await startTree(app);
  const ids = await Promise.all(Array.from({ length: COUNT }, (_, n) => tree.add(`A${n}`)));
  await Promise.all(ids.map((id, n) => tree.add(`B${n}`, id)));
  return { ...tree, ids };
}

/** Runs something while notes can only be read. */
async function whileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  const { DATABASE_URL = '' } = app.workerEnvironment();
  return withClient(DATABASE_URL, async (lock) => {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE notes IN EXCLUSIVE MODE');
    const result = await work();
    await lock.query('ROLLBACK');
    return result;
  });
}

/** The statuses of requests that are sent while notes can only be read until some have been refused. */
async function statusesOf(send: () => Promise<{ status: number }>[]) {
  const statuses: number[] = [];
  const answers = await whileLocked(async () => {
    const sent = send().map(async (answer) => statuses.push((await answer).status));
    await until(async () => statuses.length >= COUNT - 1 - WAITING_MAX);
    return { all: Promise.all(sent) };
  });
  await answers.all;
  return statuses.toSorted((a, b) => a - b);
}

const inTurn = (status: number) => [
  ...Array<number>(WAITING_MAX + 1).fill(status),
  ...Array<number>(COUNT - 1 - WAITING_MAX).fill(429),
];

describe('notes with others below them', () => {
  test('are deleted and restored one at a time for an account, and 20 wait', async () => {
    const { ids, remove, restore } = await startBranches();
    expect(await statusesOf(() => ids.map(remove))).toEqual(inTurn(204));
    for (const id of ids) await remove(id);
    expect(await statusesOf(() => ids.map(restore))).toEqual(inTurn(200));
  });

  test('are deleted for good in turn too', async () => {
    const { workspaceId, ids, remove, call } = await startBranches();
    for (const id of ids) await remove(id);
    const erase = (id: string) => call('DELETE', `/api/workspaces/${workspaceId}/trash/${id}`);
    expect(await statusesOf(() => ids.map(erase))).toEqual(inTurn(204));
  });
});

test('an account empties one trash at a time, and 20 of its requests wait', async () => {
  const { workspaceId, ids, remove, call } = await startBranches();
  for (const id of ids) await remove(id);
  const empty = () => call('DELETE', `/api/workspaces/${workspaceId}/trash`);
  expect(await statusesOf(() => ids.map(empty))).toEqual(inTurn(204));
});

test.each([
  ['a large trash is empty', 'DELETE', 'trash', undefined],
  ['a tag of many notes has another name', 'PATCH', 'tags/old', { name: 'new' }],
] as const)('what waits has its turn before %s', async (_what, method, path, body) => {
  const { workspaceId, ids, remove, call } = await startBranches();
  await app.database.query(
    `INSERT INTO notes (id, workspace_id, title, tags, deleted_at)
     SELECT id, $2, 'Gone', '{old}', now() FROM unnest($1::text[]) AS id`,
    [Array.from({ length: 101 }, () => newId('note')), workspaceId],
  );
  const ended: string[] = [];
  const answers = await whileLocked(async () => {
    const record = async (what: string, answer: ReturnType<typeof call>) =>
      ended.push((await answer).status === 429 ? 'refused' : what);
    const long = record('long', call(method, `/api/workspaces/${workspaceId}/${path}`, body));
    await until(async () => (await app.database.query(FIND_BLOCKED)).length > 0);
    const removed = ids.slice(0, WAITING_MAX + 1).map((id) => record('removed', remove(id)));
    await until(async () => ended.includes('refused'));
    return { all: Promise.all([long, ...removed]) };
  });
  await answers.all;
  expect(ended).toEqual(['refused', ...Array<string>(WAITING_MAX).fill('removed'), 'long']);
});

test('what waits is not done when its client has gone', async () => {
  const { workspaceId, ids, remove, call, user } = await startBranches();
  const { server } = app.server;
  const origin = await app.server.listen({ port: 0, host: '127.0.0.1' });
  const headers = {
    authorization: `Bearer ${app.issuer.issueToken({ sub: user.id, plan: 'pro' })}`,
  };
  const leaving = new AbortController();
  const statuses: unknown[] = [];
  await whileLocked(async () => {
    const sent = ids.slice(0, WAITING_MAX + 2).map(async (id) => {
      const request = { method: 'DELETE', headers, signal: leaving.signal };
      const answer = await fetch(`${origin}/api/notes/${id}`, request).catch(() => null);
      statuses.push(answer?.status);
    });
    await until(async () => statuses.includes(429));
    leaving.abort();
    await Promise.all(sent);
    // The connection of the 429 stays open.
    await until(async () => (await promisify(server.getConnections.bind(server))()) <= 1);
  });
  await until(async () => (await remove(ids.at(-1) ?? '')).status === 204);
  const { data } = (await call('GET', `/api/workspaces/${workspaceId}/trash`)).body;
  // The first had its turn before its client went.
  expect(data).toHaveLength(2);
});

test('notes without any below them are deleted and restored without waiting for a turn', async () => {
  const { ids, remove, restore, add } = await startBranches();
  const leaves = await Promise.all(ids.map((id) => add('Leaf', id)));
  for (const send of [remove, restore]) {
    const answers = await Promise.all(leaves.map(send));
    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
  }
});

test('large texts are saved one at a time for an account, and small ones without waiting', async () => {
  const { ids, call } = await startBranches();
  const saveAll = (content: string) => () =>
    ids.map((id) => call('PATCH', `/api/notes/${id}`, { content }, { 'if-match': '*' }));
  expect(await statusesOf(saveAll('word '.repeat(2_000)))).toEqual(inTurn(200));
  const answers = await Promise.all(saveAll('word')());
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
});
