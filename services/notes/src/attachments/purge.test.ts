import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { until } from '@atrium/testkit/until';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newUser } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { upload } from './attachments.fixture.ts';
import { eraseDeletedWorkspaces } from '../workspaces/erasure.ts';
import { HEAD_BYTES } from './file-type.ts';
import { detachUnused, eraseDetached } from './purge.ts';
import { findReferencedFiles } from './references.ts';
import { createAttachmentStore } from './store.ts';
import { createUploads } from './upload.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start() {
  const token = app.token();
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call);
  const attach = async (name: string) => {
    const { body } = await upload(app, { token, workspaceId, name, content: Buffer.from(name) });
    return { id: String(body['id']), path: String(body['path']) };
  };
  const names = async () => {
    const { body } = await call('GET', `/api/workspaces/${workspaceId}/attachments`);
    return (body['data'] as { name: string }[]).map(({ name }) => name);
  };
  return { call, workspaceId, attach, names };
}

async function purge() {
  await eraseDeletedWorkspaces(app);
  await detachUnused(app);
  await eraseDetached(app);
}

/** As if so much time had passed since the last purge. */
async function pass(interval: string) {
  for (const set of [
    'attachments SET leased_until = leased_until - $1::interval',
    `attachment_workspaces SET checked_at = checked_at - $1::interval,
      unused_since = unused_since - $1::interval`,
  ]) {
    await app.database.query(`UPDATE ${set}`, [interval]);
  }
}

const isStored = (id: string) =>
  app.storage.read(id).then(
    (content) => {
      content.destroy();
      return true;
    },
    () => false,
  );

test('erases a file a week after the last note that refers to it', async () => {
  const { call, workspaceId, attach, names } = await start();
  const used = await attach('used');
  const trashed = await attach('trashed');
  const unused = await attach('unused');
  await newNote(call, workspaceId, { title: 'A', content: `![](${used.path})` });
  const note = await newNote(call, workspaceId, { title: 'B', content: `[x](${trashed.path})` });
  await call('DELETE', `/api/notes/${note}`);
  await pass('25 hours');
  await purge();
  expect(await names()).toEqual(['unused', 'trashed', 'used']);
  await pass('8 days');
  await purge();
  expect(await names()).toEqual(['trashed', 'used']);
  expect([await isStored(unused.id), await isStored(used.id)]).toEqual([false, true]);
  expect(await app.database.prisma.attachment.count({ where: { id: unused.id } })).toBe(0);
});

test('finds no file that a text names and the workspace does not have', async () => {
  const { call, workspaceId, attach } = await start();
  const { id, path } = await attach('used');
  const elsewhere = await (await start()).attach('of another workspace');
  const unknown = Array.from({ length: 500 }, () => `/api/attachments/${newId('fil')}`);
  const content = [path, elsewhere.path, ...unknown].join(' ');
  await newNote(call, workspaceId, { title: 'A', content });
  expect(await findReferencedFiles(app.database, workspaceId)).toEqual(new Set([id]));
});

test('keeps a file that a note refers to again', async () => {
  const { call, workspaceId, attach, names } = await start();
  const { path } = await attach('cut and pasted');
  await pass('25 hours');
  await purge();
  await newNote(call, workspaceId, { title: 'A', content: path });
  await pass('8 days');
  await purge();
  expect(await names()).toEqual(['cut and pasted']);
});

test('keeps a file that was cut from a note and pasted in another workspace', async () => {
  const { call, workspaceId, attach, names } = await start();
  const other = await newWorkspace(call);
  const { id, path } = await attach('moved by hand');
  const hidden = await (await start()).attach('of another account');
  await newNote(call, other, { title: 'A', content: `![](${path}) ${path} ![](${hidden.path})` });
  await pass('25 hours');
  await purge();
  await pass('8 days');
  await purge();
  expect([await names(), await isStored(id)]).toEqual([[], true]);
  const { body } = await call('GET', `/api/workspaces/${other}/attachments`);
  expect(body['data']).toMatchObject([{ id }]);
  await call('DELETE', `/api/workspaces/${workspaceId}`);
  expect((await call('GET', `${path}`)).status).toBe(200);
});

test('keeps a file that only an older version of a note refers to', async () => {
  const { call, workspaceId, attach, names } = await start();
  const { path } = await attach('in an older version');
  const id = await newNote(call, workspaceId, { title: 'A', content: path });
  await call('POST', `/api/notes/${id}/versions`, { name: 'With the file' });
  await call('PATCH', `/api/notes/${id}`, { content: '' }, { 'if-match': '*' });
  await pass('25 hours');
  await purge();
  await pass('8 days');
  await purge();
  expect(await names()).toEqual(['in an older version']);
});

test('erases the files of a deleted workspace, and uploads that never ended', async () => {
  const { call, workspaceId, attach } = await start();
  const { id } = await attach('of a deleted workspace');
  await call('DELETE', `/api/workspaces/${workspaceId}`);
  const other = await start();
  const { id: abandoned } = await other.attach('abandoned');
  await app.database.prisma.attachment.update({
    where: { id: abandoned },
    data: { storedAt: null },
  });
  await purge();
  expect([await isStored(id), await isStored(abandoned)]).toEqual([false, true]);
  await pass('2 hours');
  await purge();
  expect(await isStored(abandoned)).toBe(false);
});

test('keeps an upload whose process renews its lease, however long it takes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const account = newUser(app);
    const workspaceId = await newWorkspace(account.call);
    const attachments = createAttachmentStore(app.database);
    const isStoring = () => attachments.isStoring(workspaceId, 'slow.txt');
    async function* content() {
      yield Buffer.from('x'.repeat(HEAD_BYTES));
      await until(isStoring);
      await pass('2 hours');
      expect(await isStoring()).toBe(false);
      vi.advanceTimersToNextTimer();
      await until(isStoring);
      await purge();
      yield Buffer.from('y');
    }
    const file = { workspaceId, accountId: account.id, name: 'slow.txt', content: content() };
    const upload = { ...file, sizeBytes: HEAD_BYTES + 1, origin: { job: 'test' } };
    const id = await createUploads(attachments, app.storage)(upload, PLAN_LIMITS.free);
    const owner = { workspaceId, accountId: account.id };
    expect(await attachments.markStored(app.database, id, owner)).not.toBeNull();
    expect([await isStored(id), vi.getTimerCount()]).toEqual([true, 0]);
  } finally {
    vi.useRealTimers();
  }
});

test('keeps a file that a note begins to refer to while it is looked for', async () => {
  const { call, workspaceId, attach, names } = await start();
  const { path } = await attach('pasted at the last moment');
  await pass('25 hours');
  await purge();
  await pass('8 days');
  const query: typeof app.database.query = async (text, values) => {
    const isLast = values?.[0] === workspaceId && text.includes('DELETE');
    if (isLast) await newNote(call, workspaceId, { title: 'A', content: path });
    return app.database.query(text, values);
  };
  await detachUnused({ ...app, database: { ...app.database, query } });
  expect(await names()).toEqual(['pasted at the last moment']);
});

test('goes on with the others after a workspace or a file that cannot be handled', async () => {
  const [bad, good] = [await start(), await start()];
  const [first, second] = [await bad.attach('first'), await good.attach('second')];
  await pass('25 hours');
  await purge();
  await pass('8 days');
  const query: typeof app.database.query = (text, values) =>
    values?.[0] === bad.workspaceId && text.includes('FROM notes')
      ? Promise.reject(new Error('statement timeout'))
      : app.database.query(text, values);
  await detachUnused({ ...app, database: { ...app.database, query } });
  expect([await bad.names(), await good.names()]).toEqual([['first'], []]);
  await bad.call('DELETE', `/api/attachments/${first.id}`);
  const remove = (key: string) =>
    key === first.id ? Promise.reject(new Error('refused')) : app.storage.remove(key);
  await eraseDetached({ ...app, storage: { ...app.storage, remove } });
  expect([await isStored(first.id), await isStored(second.id)]).toEqual([true, false]);
  await eraseDetached(app);
  expect(await isStored(first.id)).toBe(false);
});
