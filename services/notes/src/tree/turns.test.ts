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

/** Notes on the first level, each with a note below it. */
async function startBranches() {
  const tree = await startTree(app);
  const ids = await Promise.all(Array.from({ length: COUNT }, (_, n) => tree.add(`A${n}`)));
  await Promise.all(ids.map((id, n) => tree.add(`B${n}`, id)));
  return { ...tree, ids };
}

/** The statuses of requests that are sent while notes can only be read until some have been refused. */
async function statusesOf(send: () => Promise<{ status: number }>[]) {
  const { DATABASE_URL = '' } = app.workerEnvironment();
  return withClient(DATABASE_URL, async (lock) => {
    await lock.query('BEGIN');
    await lock.query('LOCK TABLE notes IN EXCLUSIVE MODE');
    const statuses: number[] = [];
    const answers = send().map(async (answer) => statuses.push((await answer).status));
    await until(async () => statuses.length >= COUNT - 1 - WAITING_MAX);
    await lock.query('ROLLBACK');
    await Promise.all(answers);
    return statuses.toSorted((a, b) => a - b);
  });
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

test('notes without any below them are deleted and restored without waiting for a turn', async () => {
  const { ids, remove, restore, add } = await startBranches();
  const leaves = await Promise.all(ids.map((id) => add('Leaf', id)));
  for (const send of [remove, restore]) {
    const answers = await Promise.all(leaves.map(send));
    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
  }
});
