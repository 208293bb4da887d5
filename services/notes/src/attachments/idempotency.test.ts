import { PLAN_LIMITS } from '@atrium/contracts/notes';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { upload as uploadArchive, zip } from '../import/archive.fixture.ts';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { upload } from './attachments.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const headers = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };

async function start() {
  const token = app.token();
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call);
  const attach = (text: string) =>
    upload(app, { token, workspaceId, name: 'plan.txt', content: Buffer.from(text), headers });
  const list = async (what: 'attachments' | 'imports') =>
    (await call('GET', `/api/workspaces/${workspaceId}/${what}`)).body['data'];
  const usedBytes = async () => (await call('GET', '/api/storage')).body['usedBytes'];
  return { token, workspaceId, attach, list, usedBytes };
}

test('repeats the response to an upload, although there is no space left', async () => {
  const { workspaceId, attach, list } = await start();
  const first = await attach('Tulips');
  const sizeBytes = PLAN_LIMITS.free.storageBytes;
  await app.prisma.attachment.create({
    data: {
      id: 'fil_full',
      name: 'x',
      type: 'x',
      sizeBytes,
      workspaces: { create: { workspaceId } },
    },
  });
  const second = await attach('Tulips');
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
  expect(await list('attachments')).toEqual([first.body]);
});

test('returns 422 for the key of another file, also of the same length', async () => {
  const { attach, usedBytes } = await start();
  await attach('Tulips');
  for (const text of ['Violet', 'Tulips and violets']) {
    expect(await attach(text)).toMatchObject({
      status: 422,
      body: { message: 'Idempotency-Key was used for another request' },
    });
  }
  expect(await usedBytes()).toBe(6);
});

test('stores one file for eight parallel uploads with one key, and counts it once', async () => {
  const { attach, list, usedBytes } = await start();
  const answers = await Promise.all(Array.from({ length: 8 }, () => attach('Tulips')));
  const [attachment] = (await list('attachments')) as object[];
  for (const { status, body } of answers) {
    expect(status === 201 ? body : status).toEqual(status === 201 ? attachment : 409);
  }
  expect([answers.some(({ status }) => status === 201), await usedBytes()]).toEqual([true, 6]);
});

test('repeats the response to an archive that is being imported', async () => {
  const { token, workspaceId, list } = await start();
  const archive = zip([{ path: 'note.md', content: 'text' }]);
  const first = await uploadArchive(app, token, workspaceId, archive, headers);
  expect((await uploadArchive(app, token, workspaceId, archive)).status).toBe(409);
  expect(await uploadArchive(app, token, workspaceId, archive, headers)).toEqual(first);
  expect([first.status, await list('imports')]).toEqual([202, [first.body]]);
});
