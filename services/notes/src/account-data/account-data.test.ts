import { newId } from '@atrium/contracts/ids';
import { tablesMentioning } from '@atrium/testkit/mentions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { accountCollections, eraseAccount } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function createAccountWithNotes(title: string) {
  const accountId = newId('usr');
  const call = app.as({ sub: accountId, plan: 'pro', ev: true });
  for (let i = 0; i < 2; i++) {
    const workspaceId = await newWorkspace(call, `${title} ${i}`);
    for (let n = 0; n < 12; n++) {
      const note = { title: `${title} ${i}/${n}`, content: 'x', tags: ['a'], pinned: n % 3 === 0 };
      const key = { 'idempotency-key': `${i}/${n}` };
      const { body } = await call('POST', `/api/workspaces/${workspaceId}/notes`, note, key);
      const noteId = String(body['id']);
      if (n === 0) await call('POST', `/api/notes/${noteId}/share`);
    }
  }
  return { accountId, call };
}

test('security 31: erases every row of a deleted account and none of another', async () => {
  const ada = await createAccountWithNotes('Of the deleted');
  const eve = await createAccountWithNotes('Of the other');
  const words = [ada.accountId, 'Of the deleted'];
  expect(await tablesMentioning(app.database, words)).toEqual(
    expect.arrayContaining(['idempotency_keys', 'notes', 'owners', 'workspaces']),
  );
  await Promise.all([
    eraseAccount(app.database, app.prisma, ada.accountId),
    eraseAccount(app.database, app.prisma, ada.accountId),
  ]);
  expect(await tablesMentioning(app.database, words)).toEqual([]);
  const { body } = await eve.call('GET', '/api/workspaces');
  expect(body['data']).toMatchObject([{ noteCount: 12 }, { noteCount: 12 }]);
  await eraseAccount(app.database, app.prisma, ada.accountId);
});

test('exports every workspace and note of the account once', async () => {
  const { accountId } = await createAccountWithNotes('Exported');
  await createAccountWithNotes('Of another');
  const held: Record<string, object[]> = {};
  for (const [name, pages] of accountCollections(app.prisma, accountId)) {
    const records: object[] = [];
    for await (const page of pages) records.push(...page);
    held[name] = records;
  }
  expect(held['workspaces']).toHaveLength(2);
  const titles = held['notes']?.map((note) => ('title' in note ? note.title : ''));
  expect(titles?.toSorted()).toEqual(
    [0, 1].flatMap((i) => Array.from({ length: 12 }, (_, n) => `Exported ${i}/${n}`)).toSorted(),
  );
});
