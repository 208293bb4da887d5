import { Transformer } from '@napi-rs/image';
import { PLAN_LIMITS } from '@atrium/contracts/plan-limits';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { join, newUser } from '../invitations/invitations.fixture.ts';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { upload } from './attachments.fixture.ts';
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
  const attach = (content: Buffer, name = 'file.bin') =>
    upload(app, { token, workspaceId, name, content });
  const download = async (path: string, by = token) => {
    const headers = { authorization: `Bearer ${by}` };
    return app.server.inject({ url: path, headers });
  };
  return { call, workspaceId, attach, download };
}

const MISSING = { error: 'Not Found', message: 'Attachment not found' };

describe('attachments', () => {
  test('stores a file and serves it byte for byte, to be saved and not run', async () => {
    const { call, workspaceId, attach, download } = await start();
    const content = Buffer.from('<script>alert(1)</script>');
    const { status, body } = await attach(content, 'Prüfung "1".html');
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        workspaceId,
        name: 'Prüfung "1".html',
        type: 'text/plain; charset=utf-8',
        sizeBytes: content.length,
        path: `/api/attachments/${String(body['id'])}/content`,
      },
    });
    const served = await download(String(body['path']));
    expect(served.statusCode).toBe(200);
    expect(served.rawPayload).toEqual(content);
    expect(served.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': `attachment; filename="Pr_fung _1_.html"; filename*=UTF-8''Pr%C3%BCfung%20%221%22.html`,
      'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    });
    const list = await call('GET', `/api/workspaces/${workspaceId}/attachments`);
    expect(list.body).toEqual({ data: [body], nextCursor: null });
  });

  test.each([
    ['image/png', (image: Transformer) => image.png()],
    ['image/jpeg', (image: Transformer) => image.jpeg(95)],
    ['image/webp', (image: Transformer) => image.webp(90)],
  ])('encodes %s again, once, without what is not a pixel', async (type, encode) => {
    const { attach, download } = await start();
    const pixels = Transformer.fromRgbaPixels(new Uint8Array(40 * 30 * 4).fill(99), 40, 30);
    const image = Buffer.concat([await encode(pixels), Buffer.from('taken at 52.5 N 13.4 E')]);
    const { status, body } = await attach(image, 'photo');
    expect([status, body['type']]).toEqual([201, type]);
    const { rawPayload, headers } = await download(String(body['path']));
    expect(rawPayload.includes('taken at')).toBe(false);
    expect(rawPayload.length).toBe(body['sizeBytes']);
    expect(await new Transformer(rawPayload).metadata()).toMatchObject({ width: 40, height: 30 });
    expect(headers['content-disposition']).toMatch(/^inline;/);

    const again = await attach(rawPayload, 'photo');
    const kept = (await download(String(again.body['path']))).rawPayload;
    expect(kept.equals(rawPayload)).toBe(true);
  });

  test('answers 404 to non-members and after deletion, and then counts the file no more', async () => {
    const { call, attach, download } = await start();
    const { body } = await attach(Buffer.from('secret'));
    const path = `/api/attachments/${String(body['id'])}`;
    expect((await call('GET', '/api/storage')).body).toMatchObject({
      usedBytes: 6,
      attachmentBytes: 6,
      limitBytes: PLAN_LIMITS.free.storageBytes,
      fileLimitBytes: PLAN_LIMITS.free.fileSizeBytes,
    });
    const nonMember = app.token();
    expect((await download(`${path}/content`, nonMember)).json()).toEqual(MISSING);
    expect((await app.asToken(nonMember)('DELETE', path)).body).toEqual(MISSING);
    expect((await call('DELETE', path)).status).toBe(204);
    expect((await call('DELETE', path)).body).toEqual(MISSING);
    expect((await download(`${path}/content`)).statusCode).toBe(404);
    expect((await call('GET', '/api/storage')).body['usedBytes']).toBe(0);
  });

  test('answers 404 for a file that the storage has no more, and 503 while it cannot be read', async () => {
    const { attach, download } = await start();
    const { id, path } = (await attach(Buffer.from('lost'))).body;
    {
      await using _broken = await app.breakStorage();
      expect((await download(String(path))).statusCode).toBe(503);
    }
    await app.storage.remove(String(id));
    const lost = await download(String(path));
    expect([lost.statusCode, lost.json()]).toEqual([404, MISSING]);
  });

  test.each([
    ['no name', '', 'x', 400],
    ['a folder in the name', '?name=..%2Fx', 'x', 422],
    ['no content', '?name=x', '', 400],
    ['a damaged image', '?name=x', '\x89PNG\r\n\x1a\n', 422],
  ])('refuses %s', async (_what, query, content, status) => {
    const token = app.token();
    const workspaceId = await newWorkspace(app.asToken(token));
    const response = await app.server.inject({
      method: 'POST',
      url: `/api/workspaces/${workspaceId}/attachments${query}`,
      headers: { authorization: `Bearer ${token}` },
      payload: Buffer.from(content, 'latin1'),
    });
    expect(response.statusCode).toBe(status);
    expect(await app.database.prisma.attachmentWorkspace.count({ where: { workspaceId } })).toBe(0);
  });
});

describe('limits', () => {
  test('refuses a file that is larger than the plan allows before reading it', async () => {
    const token = app.token();
    const workspaceId = await newWorkspace(app.asToken(token));
    const response = await app.server.inject({
      method: 'POST',
      url: `/api/workspaces/${workspaceId}/attachments?name=x`,
      headers: { authorization: `Bearer ${token}`, 'content-length': '10485761' },
    });
    expect([response.statusCode, response.json()]).toEqual([
      403,
      { error: 'Plan Limit Exceeded', message: 'A file may have at most 10 MB in this workspace' },
    ]);
  });

  test('stores exactly as many files at once as the plan allows', async () => {
    const { call, workspaceId, attach } = await start();
    const sizeBytes = PLAN_LIMITS.free.storageBytes - 3000;
    const most = { id: 'fil_most', name: 'x', type: 'x', sizeBytes, storedAt: new Date() };
    await app.database.prisma.attachment.create({
      data: { ...most, workspaces: { create: { workspaceId } } },
    });
    const answers = await Promise.all(Array.from({ length: 8 }, () => attach(Buffer.alloc(1000))));
    const refused = answers.filter(({ status }) => status === 403);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
    expect(refused).toHaveLength(5);
    expect(refused[0]?.body).toEqual({
      error: 'Plan Limit Exceeded',
      message: 'The notes, versions and files of one owner may have at most 1 GB',
    });
    const { usedBytes, limitBytes } = (await call('GET', '/api/storage')).body;
    expect(usedBytes).toBe(limitBytes);
  });

  test('counts nothing when the storage fails', async () => {
    const { call, attach } = await start();
    await using _broken = await app.breakStorage();
    expect((await attach(Buffer.from('x'))).status).toBe(503);
    expect((await call('GET', '/api/storage')).body['usedBytes']).toBe(0);
  });
});

describe('a member', () => {
  async function startShared() {
    const [owner, user] = [newUser(app, { plan: 'pro' }), newUser(app)];
    const workspaceId = await newWorkspace(owner.call);
    await join(app, { owner, workspaceId, user });
    const path = `/api/workspaces/${workspaceId}/attachments`;
    const { body } = await owner.call('POST', `${path}?name=a.json`, { text: 'x' });
    const attachments = createAttachmentStore(app.database);
    const names = async () => (await owner.call('GET', path)).body['data'];
    const member = `/api/workspaces/${workspaceId}/members/${user.id}`;
    return { owner, user, workspaceId, id: String(body['id']), attachments, names, member };
  }

  test('deletes no attachment, as only the owner does: notes and versions may refer to it', async () => {
    const { owner, user, id, names, member } = await startShared();
    const path = `/api/attachments/${id}`;
    for (const role of ['editor', 'viewer']) {
      await owner.call('PATCH', member, { role });
      expect(await user.call('DELETE', path)).toMatchObject({
        status: 403,
        body: { message: `Your role in this workspace (${role}) does not allow this` },
      });
    }
    expect(await names()).toHaveLength(1);
    expect((await owner.call('DELETE', path)).status).toBe(204);
    expect(await names()).toEqual([]);
  });

  test('stores no attachment once it may write no more: the workspace is not full but missing', async () => {
    const { owner, user, workspaceId, attachments, names, member } = await startShared();
    const send = createUploads(attachments, app.storage);
    const uploadAs = async (accountId: string, meanwhile?: () => Promise<unknown>) => {
      const content = (async function* () {
        yield Buffer.from('x');
      })();
      const file = { workspaceId, accountId, name: 'x', sizeBytes: 1, content };
      const id = await send({ ...file, origin: { job: 'test' } }, PLAN_LIMITS.pro);
      await meanwhile?.();
      return attachments.markStored(app.database, id, { workspaceId, accountId });
    };
    expect(await uploadAs(user.id)).toMatchObject({ workspaceId });
    expect(await uploadAs(user.id, () => owner.call('DELETE', member))).toBeNull();
    await expect(uploadAs(user.id)).rejects.toMatchObject({
      status: 404,
      message: 'Workspace not found',
    });
    expect(await names()).toHaveLength(2);
  });
});
