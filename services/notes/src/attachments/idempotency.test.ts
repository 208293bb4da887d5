import { newId } from '@atrium/contracts/ids';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { createTestDatabase } from '@atrium/testkit/database';
import { type Outage, startOutage } from '@atrium/testkit/outage';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { upload } from './attachments.fixture.ts';

const stack = new AsyncDisposableStack();
let outage: Outage;
let app: TestApp;
beforeAll(async () => {
  outage = stack.use(await startOutage(stack.use(await createTestDatabase('notes')).url));
  app = stack.use(await startTestApp({ url: outage.url }));
});
afterAll(() => stack.disposeAsync());

const { storageBytes, fileSizeBytes } = PLAN_LIMITS.free;
const headers = { 'idempotency-key': '8e03978e-40d5-43e8-bc93-6894a57f9324' };

async function start() {
  const token = app.token();
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call);
  const attach = (text: string) =>
    upload(app, { token, workspaceId, name: 'plan.txt', content: Buffer.from(text), headers });
  const list = async () =>
    (await call('GET', `/api/workspaces/${workspaceId}/attachments`)).body['data'];
  const startUpload = (name: string, sizeBytes: number, leasedForMs = 15_000) =>
    app.database.prisma.attachment.create({
      data: {
        id: newId('fil'),
        name,
        type: 'x',
        sizeBytes,
        leasedUntil: new Date(Date.now() + leasedForMs),
        workspaces: { create: { workspaceId } },
      },
    });
  const usedBytes = async () => (await call('GET', '/api/storage')).body['usedBytes'];
  return { token, workspaceId, attach, startUpload, list, usedBytes };
}

test('repeats the response to an upload, although there is no space left', async () => {
  const { attach, startUpload, list } = await start();
  const first = await attach('Tulips');
  await startUpload('x', storageBytes);
  const second = await attach('Tulips');
  expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
  expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true' });
  expect(await list()).toEqual([first.body]);
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
  const [attachment] = (await list()) as object[];
  for (const { status, body } of answers) {
    expect(status === 201 ? body : status).toEqual(status === 201 ? attachment : 409);
  }
  expect([answers.some(({ status }) => status === 201), await usedBytes()]).toEqual([true, 6]);
});

test('returns 503 when the result of the COMMIT that begins the upload is lost', async () => {
  const { attach, list } = await start();
  outage.loseAnswerTo('COMMIT');
  expect(await attach('Tulips')).toMatchObject({ status: 503 });
  expect(await list()).toEqual([]);
  const repeated = await attach('Tulips');
  expect(await list()).toEqual([repeated.body]);
});

test('returns 409 with Retry-After only while the first upload takes the space that is left', async () => {
  const { attach, startUpload } = await start();
  await startUpload('other.txt', storageBytes);
  expect((await attach('Tulips')).status).toBe(403);
  await startUpload('plan.txt', 6, -1);
  expect((await attach('Tulips')).status).toBe(403);
  await startUpload('plan.txt', 6);
  expect(await attach('Tulips')).toMatchObject({
    status: 409,
    headers: { 'retry-after': '1' },
    body: { message: 'A request with this Idempotency-Key is in progress' },
  });
});

test('returns 403 for a file that is too large, also with a used key', async () => {
  const { token, workspaceId, attach } = await start();
  await attach('Tulips');
  const content = Buffer.alloc(fileSizeBytes + 1);
  const answer = await upload(app, { token, workspaceId, name: 'plan.txt', content, headers });
  expect([answer.status, answer.body['error']]).toEqual([403, 'Plan Limit Exceeded']);
});

test('counts no file whose response cannot be stored', async () => {
  const { attach, usedBytes } = await start();
  const alter = (how: string) => app.database.query(`ALTER TABLE idempotency_keys ${how}`);
  await alter('ADD CONSTRAINT refuse CHECK (false) NOT VALID');
  try {
    expect((await attach('Tulips')).status).toBe(500);
  } finally {
    await alter('DROP CONSTRAINT refuse');
  }
  expect(await usedBytes()).toBe(0);
});
