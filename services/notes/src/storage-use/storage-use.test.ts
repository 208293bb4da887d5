import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { newId } from '@atrium/contracts/ids';
import type { TokenOptions } from '@atrium/testkit/tokens';
import { zip } from '@atrium/testkit/zip';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eraseAccount } from '../account-data/store.ts';
import { purgeVersions } from '../versions/retention.ts';
import { importInto, upload } from '../import/archive.fixture.ts';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { attach } from '../moving/moving.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { purgeTrash } from '../trash/store.ts';
import { eraseDeletedWorkspaces } from '../workspaces/erasure.ts';
import { readStorage, usedBytes } from './storage-use.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ANY = { 'if-match': '*' };

async function expectCountersToAgree() {
  const { counted, real } = await readStorage(app.database);
  expect(counted).toEqual(real);
}
afterEach(expectCountersToAgree);

async function start(claims: TokenOptions = { plan: 'free' }) {
  const [owner, editor] = [newUser(app, claims), newUser(app, { plan: 'free' })];
  const workspaceId = await newWorkspace(owner.call);
  await join(app, { owner, workspaceId, user: editor });
  const write = (user: User, id: string, content: string) =>
    user.call('PATCH', `/api/notes/${id}`, { content }, ANY);
  /** Leaves so much of what a free owner may have. */
  const leave = async (bytes: number) => {
    const { usedBytes: used } = await usedBytes(owner);
    const id = newId('fil');
    const sizeBytes = PLAN_LIMITS.free.storageBytes - used - bytes;
    const file = { id, name: 'x', type: 'x', sizeBytes, storedAt: new Date() };
    await app.database.prisma.attachment.create({
      data: { ...file, workspaces: { create: { workspaceId } } },
    });
  };
  const token = app.issuer.issueToken({ sub: owner.id });
  return { owner, editor, workspaceId, write, leave, token };
}

const FULL = {
  status: 403,
  body: {
    error: 'Plan Limit Exceeded',
    message: 'The notes, versions and files of one owner may have at most 1 GB',
  },
};

test('notes, versions, attachments and reports of imports count to the owner', async () => {
  const { owner, editor, workspaceId, write, token } = await start();
  expect(await usedBytes(owner)).toMatchObject({ usedBytes: 0, limitBytes: 1024 ** 3 });
  const id = await newNote(editor.call, workspaceId, { title: 'A', content: 'é'.repeat(50) });
  await write(owner, id, 'x'.repeat(300));
  const { id: fileId } = await attach(owner.call, workspaceId, 'text');
  await importInto(app, token, workspaceId, zip([{ path: 'a.png', content: 'no image' }]));
  const use = await usedBytes(owner);
  const [note, version] = [1024 + 300, 2 * 1024 + 300 + 100];
  expect(use).toMatchObject({ noteBytes: note, versionBytes: version, attachmentBytes: 15 });
  expect(use.importBytes).toBeGreaterThan(1024);
  expect(use.usedBytes).toBe(note + version + 15 + use.importBytes);
  expect(await usedBytes(editor)).toMatchObject({ usedBytes: 0 });
  await owner.call('DELETE', `/api/attachments/${fileId}`);
  await owner.call('DELETE', `/api/notes/${id}`);
  expect(await usedBytes(owner)).toMatchObject({ noteBytes: note, attachmentBytes: 0 });
  await owner.call('DELETE', `/api/workspaces/${workspaceId}/trash/${id}`);
  expect(await usedBytes(owner)).toMatchObject({ noteBytes: 0, versionBytes: 0 });
});

test('what is moved, copied, transferred, purged and erased stays counted exactly', async () => {
  const { owner, editor, workspaceId, write } = await start({ plan: 'pro' });
  const theirs = await newWorkspace(editor.call);
  await join(app, { owner: editor, workspaceId: theirs, user: owner });
  const { path } = await attach(owner.call, workspaceId, 'file');
  const note = { title: 'A', content: path, tags: ['a'] };
  const ids = await Promise.all([1, 2, 3].map(() => newNote(owner.call, workspaceId, note)));
  const [moved = '', copied = '', kept = ''] = ids;
  await write(editor, moved, `${path} more`);
  await owner.call('POST', `/api/notes/${kept}/versions`, { name: 'Named' });
  await expectCountersToAgree();
  const [before, ofEditor] = [await usedBytes(owner), await usedBytes(editor)];
  expect(
    await owner.call('POST', `/api/notes/${moved}/move`, { workspaceId: theirs }),
  ).toMatchObject({ status: 200 });
  await owner.call('POST', `/api/notes/${copied}/copy`, { workspaceId: theirs });
  const [after, ofEditorAfter] = [await usedBytes(owner), await usedBytes(editor)];
  expect(after.versionBytes).toBeLessThan(before.versionBytes);
  expect(ofEditorAfter.versionBytes).toBeGreaterThan(ofEditor.versionBytes);
  expect(ofEditorAfter.attachmentBytes).toBe(before.attachmentBytes);
  await owner.call('PATCH', `/api/workspaces/${workspaceId}/tags/a`, { name: 'b' });
  await expectCountersToAgree();

  await app.database.query(
    `UPDATE versions SET superseded_at = now() - interval '1 year' WHERE superseded_at IS NOT NULL`,
  );
  await purgeVersions(app.database);
  await owner.call('DELETE', `/api/notes/${kept}`);
  await app.database.query(
    `UPDATE notes SET deleted_at = now() - interval '1 year' WHERE deleted_at IS NOT NULL`,
  );
  await purgeTrash(app.database);
  await expectCountersToAgree();

  await owner.call('POST', `/api/workspaces/${workspaceId}/transfer`, { userId: editor.id });
  expect(await usedBytes(owner)).toMatchObject({ usedBytes: 0 });
  await expectCountersToAgree();
  await editor.call('DELETE', `/api/workspaces/${workspaceId}`);
  await expectCountersToAgree();
  await eraseDeletedWorkspaces(app);
  // Its other workspace passes to the owner, who is an editor there.
  await eraseAccount(app, editor.id);
  expect(await usedBytes(owner)).toMatchObject({ noteBytes: ofEditorAfter.noteBytes });
});

test('parallel writes of several members and workspaces are counted exactly', async () => {
  const { owner, editor, workspaceId, write } = await start({ plan: 'pro' });
  const other = await newWorkspace(owner.call);
  await join(app, { owner, workspaceId: other, user: editor });
  const note = { title: 'A', content: 'x', tags: ['a'] };
  const created = [workspaceId, other, workspaceId, other, workspaceId, other];
  const ids = await Promise.all(created.map((id) => newNote(owner.call, id, note)));
  const writes = ids.flatMap((id, n) => {
    const content = 'x'.repeat(n * 100);
    const target = created[n] === other ? workspaceId : other;
    return [
      write(owner, id, content),
      write(editor, id, `${content} y`),
      owner.call('POST', `/api/notes/${id}/move`, { workspaceId: target }),
      editor.call('POST', `/api/notes/${id}/copy`, { workspaceId: other }),
      editor.call('POST', `/api/notes/${id}/versions`, { name: 'Named' }),
      owner.call('DELETE', `/api/notes/${id}`),
      owner.call('DELETE', `/api/workspaces/${created[n]}/trash`),
      owner.call('PATCH', `/api/workspaces/${created[n]}/tags/a`, { name: `${n}` }),
    ];
  });
  const statuses = new Set((await Promise.all(writes)).map(({ status }) => status));
  for (const status of statuses) expect(status).toBeLessThan(500);
});

test('exactly as much is stored as the plan allows, also at once and in several workspaces', async () => {
  const { owner, workspaceId, leave } = await start();
  const other = await newWorkspace(owner.call);
  // A note and its version.
  const each = 2 * (1024 + 1000);
  await leave(3 * each + 500);
  const created = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      owner.call('POST', `/api/workspaces/${n % 2 === 0 ? workspaceId : other}/notes`, {
        title: 'A',
        content: 'x'.repeat(1000),
      }),
    ),
  );
  const refused = created.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(5);
  expect(refused).toMatchObject(Array(5).fill(FULL));
  expect(await usedBytes(owner)).toMatchObject({ usedBytes: 1024 ** 3 - 500 });
});

test('a full account takes nothing more in, and text can still become shorter', async () => {
  const { owner, editor, workspaceId, write, leave, token } = await start();
  const [id, trashed] = await Promise.all([
    newNote(owner.call, workspaceId, { title: 'A', content: 'x'.repeat(9000) }),
    newNote(owner.call, workspaceId, { title: 'B' }),
  ]);
  await owner.call('DELETE', `/api/notes/${trashed}`);
  await leave(0);
  const path = `/api/workspaces/${workspaceId}`;
  expect(await write(owner, id, 'x'.repeat(9001))).toMatchObject(FULL);
  expect(await write(editor, id, 'y'.repeat(9000))).toMatchObject(FULL);
  expect(await owner.call('POST', `${path}/notes`, { title: 'B' })).toMatchObject(FULL);
  expect(await owner.call('POST', `/api/notes/${id}/copy`, {})).toMatchObject(FULL);
  expect(await owner.call('POST', `${path}/attachments?name=a`, { a: 1 })).toMatchObject(FULL);
  expect(await upload(app, token, workspaceId, zip([{ path: 'a.md' }]))).toMatchObject(FULL);
  const { body } = await owner.call('GET', `/api/notes/${id}`);
  expect(body['content']).toBe('x'.repeat(9000));
  expect((await owner.call('POST', `/api/notes/${trashed}/restore`)).status).toBe(200);
  // Another author begins a version, which is less than what the note loses.
  expect((await write(editor, id, 'y')).status).toBe(200);
  expect((await write(editor, id, 'y'.repeat(3000))).status).toBe(200);
  expect(await write(editor, id, 'y'.repeat(6000))).toMatchObject(FULL);
});

test('a full account can still change a tag, also where the current version has a name', async () => {
  const { owner, workspaceId, leave } = await start();
  const note = { title: 'A', content: 'x', tags: ['a'] };
  const id = await newNote(owner.call, workspaceId, note);
  await owner.call('POST', `/api/notes/${id}/versions`, { name: 'Named' });
  await leave(0);
  const tags = `/api/workspaces/${workspaceId}/tags`;
  expect(await owner.call('PATCH', `${tags}/a`, { name: 'b' })).toMatchObject({ status: 200 });
  await owner.call('POST', `/api/notes/${id}/versions`, { name: 'Renamed' });
  expect(await owner.call('DELETE', `${tags}/b`)).toMatchObject({ status: 204 });
});

test('a smaller plan leaves what is there, and a workspace passes only to an owner who has space for it', async () => {
  const { owner, editor, workspaceId, write, leave } = await start({ plan: 'pro' });
  const id = await newNote(owner.call, workspaceId, { title: 'A', content: 'x' });
  await leave(-10_000);
  const transfer = () =>
    owner.call('POST', `/api/workspaces/${workspaceId}/transfer`, { userId: editor.id });
  // The editor has the free plan.
  expect(await transfer()).toMatchObject(FULL);
  expect((await write(owner, id, 'x'.repeat(1000))).status).toBe(200);
  await app.database.prisma.owner.update({
    where: { accountId: owner.id },
    data: { plan: 'free' },
  });
  expect(await write(owner, id, 'x'.repeat(1001))).toMatchObject(FULL);
  expect((await write(owner, id, 'x'.repeat(999))).status).toBe(200);
});

test('the plan unlimited counts what is stored and has no limit', async () => {
  const { owner, workspaceId, leave } = await start({ plan: 'unlimited' });
  // More than the plan pro allows.
  for (let gigabytes = 0; gigabytes <= PLAN_LIMITS.pro.storageBytes; gigabytes += 1024 ** 3) {
    await leave(-gigabytes);
  }
  await newNote(owner.call, workspaceId, { title: 'A', content: 'x' });
  const { usedBytes: used, limitBytes } = await usedBytes(owner);
  expect(used).toBeGreaterThan(PLAN_LIMITS.pro.storageBytes);
  expect(limitBytes).toBeNull();
});
