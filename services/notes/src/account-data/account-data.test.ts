import { newId } from '@atrium/contracts/ids';
import { tablesMentioning } from '@atrium/testkit/mentions';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload } from '../attachments/attachments.fixture.ts';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { accountCollections, eraseAccount } from './store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app?.[Symbol.asyncDispose]());

async function createAccountWithNotes(title: string) {
  const accountId = newId('usr');
  const token = app.issuer.issueToken({ sub: accountId, plan: 'pro', ev: true });
  const call = app.asToken(token);
  for (let i = 0; i < 2; i++) {
    const workspaceId = await newWorkspace(call, `${title} ${i}`);
    const file = { token, workspaceId, name: `${title} ${i}`, content: Buffer.from('x') };
    await upload(app, file);
    for (let n = 0; n < 12; n++) {
      const note = { title: `${title} ${i}/${n}`, content: 'x', tags: ['a'], pinned: n % 3 === 0 };
      const key = { 'idempotency-key': `${i}/${n}` };
      const { body } = await call('POST', `/api/workspaces/${workspaceId}/notes`, note, key);
      const noteId = String(body['id']);
      if (n > 0) continue;
      await call('POST', `/api/notes/${noteId}/share`);
      await call('PUT', `/api/notes/${noteId}/favourite`);
    }
  }
  return { accountId, call };
}

test('security 31: erases every row of a deleted account and none of another', async () => {
  const ada = await createAccountWithNotes('Of the deleted');
  const eve = await createAccountWithNotes('Of the other');
  const words = [ada.accountId, 'Of the deleted'];
  expect(await tablesMentioning(app.database, words)).toEqual(
    expect.arrayContaining([
      'attachments',
      'favourites',
      'idempotency_keys',
      'members',
      'notes',
      'owners',
      'workspaces',
    ]),
  );
  await Promise.all([eraseAccount(app, ada.accountId), eraseAccount(app, ada.accountId)]);
  expect(await tablesMentioning(app.database, words)).toEqual([]);
  const { body } = await eve.call('GET', '/api/workspaces');
  expect(body['data']).toMatchObject([{ noteCount: 12 }, { noteCount: 12 }]);
  await eraseAccount(app, ada.accountId);
});

test('does not wait for the files of others', async () => {
  const [ada, eve] = [await createAccountWithNotes('Ada'), await createAccountWithNotes('Eve')];
  const [file] = await app.database.prisma.attachment.findMany({ where: { name: 'Eve 0' } });
  await eve.call('DELETE', `/api/attachments/${file?.id}`);
  const remove = (key: string) =>
    key === file?.id ? Promise.reject(new Error('refused')) : app.storage.remove(key);
  await eraseAccount({ ...app, storage: { ...app.storage, remove } }, ada.accountId);
  expect(await tablesMentioning(app.database, [ada.accountId, 'Ada 0'])).toEqual([]);
  expect(await app.database.prisma.attachment.count({ where: { id: String(file?.id) } })).toBe(1);
});

test('passes a shared workspace to its longest-standing editor and erases one that has none', async () => {
  const [ada, first, second, reader] = [newUser(app), newUser(app), newUser(app), newUser(app)];
  const shared = await newWorkspace(ada.call, 'Shared');
  const read = await newWorkspace(ada.call, 'Read');
  await join(app, { owner: ada, workspaceId: shared, user: reader }, 'viewer');
  await join(app, { owner: ada, workspaceId: shared, user: first });
  await join(app, { owner: ada, workspaceId: shared, user: second });
  await join(app, { owner: ada, workspaceId: read, user: reader }, 'viewer');
  const joined = await newWorkspace(first.call, 'Of the editor');
  await join(app, { owner: first, workspaceId: joined, user: ada });
  const noteId = await newNote(ada.call, shared, { title: 'Kept' });
  const erase = () => eraseAccount(app, ada.id);
  await Promise.all([erase(), erase()]);
  expect((await first.call('GET', `/api/notes/${noteId}`)).body).toMatchObject({ title: 'Kept' });
  const workspaces = async ({ call }: typeof first) => (await call('GET', '/api/workspaces')).body;
  expect(await workspaces(first)).toMatchObject({
    data: [
      { id: joined, role: 'owner' },
      { id: shared, role: 'owner' },
    ],
  });
  expect(await workspaces(second)).toMatchObject({ data: [{ id: shared, role: 'editor' }] });
  expect(await workspaces(reader)).toMatchObject({ data: [{ id: shared, role: 'viewer' }] });
  // Nothing carries messages here; elsewhere the relay deletes those that it has sent.
  await app.database.prisma.outboxEvent.deleteMany({ where: { accountId: ada.id } });
  expect(await tablesMentioning(app.database, [ada.id])).toEqual([]);
});

test('exports every workspace and note of the account once', async () => {
  const { accountId } = await createAccountWithNotes('Exported');
  await createAccountWithNotes('Of another');
  const held: Record<string, object[]> = {};
  for (const [name, pages] of accountCollections(app.database, accountId)) {
    const records: object[] = [];
    for await (const page of pages) records.push(...page);
    held[name] = records;
  }
  expect(held['workspaces']).toHaveLength(2);
  expect(held['attachments']).toHaveLength(2);
  expect(held['favourites']).toHaveLength(2);
  expect(held['memberships']).toMatchObject([{ role: 'owner' }, { role: 'owner' }]);
  const titles = held['notes']?.map((note) => ('title' in note ? note.title : ''));
  expect(titles?.toSorted()).toEqual(
    [0, 1].flatMap((i) => Array.from({ length: 12 }, (_, n) => `Exported ${i}/${n}`)).toSorted(),
  );
});

test('a note that is pinned or unpinned meanwhile is exported once', async () => {
  const accountId = newId('usr');
  const call = app.as({ sub: accountId, plan: 'pro' });
  const workspaceId = await newWorkspace(call);
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    ids.push(await newNote(call, workspaceId, { title: `Note ${n}`, pinned: n % 2 === 0 }));
  }
  const notes = new Map(accountCollections(app.database, accountId)).get('notes');
  const exported: unknown[] = [];
  for await (const page of notes ?? []) {
    exported.push(...page.map((row) => Reflect.get(row, 'id')));
    await app.database.query('UPDATE notes SET pinned = NOT pinned WHERE workspace_id = $1', [
      workspaceId,
    ]);
  }
  expect(exported).toEqual(ids.toSorted());
});
