import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { newId } from '@atrium/contracts/ids';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBuffer, type Entry, type ZipFile } from 'yauzl';
import { upload } from '../attachments/attachments.fixture.ts';
import { importInto } from '../import/archive.fixture.ts';
import { join, newUser, type User } from '../invitations/invitations.fixture.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function start() {
  const token = app.issuer.issueToken({ plan: 'pro' });
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call, 'Garden');
  const headers = { authorization: `Bearer ${token}` };
  const exported = () =>
    app.server.inject({ url: `/api/workspaces/${workspaceId}/export`, headers });
  return { token, call, workspaceId, exported };
}

/** The files of an archive, as another program reads them. */
async function unzip(archive: Buffer): Promise<Map<string, Buffer>> {
  const zip = await new Promise<ZipFile>((resolve, reject) =>
    fromBuffer(archive, { lazyEntries: true }, (error, opened) =>
      opened === undefined ? reject(error) : resolve(opened),
    ),
  );
  const files = new Map<string, Buffer>();
  await new Promise<void>((resolve, reject) => {
    zip.on('entry', (entry: Entry) =>
      zip.openReadStream(entry, (error, stream) => {
        if (stream === undefined) return reject(error);
        buffer(stream).then((content) => {
          files.set(entry.fileName, content);
          zip.readEntry();
        }, reject);
      }),
    );
    zip.on('end', resolve);
    zip.readEntry();
  });
  return files;
}

test('exports notes as Markdown with front matter, and the files they refer to', async () => {
  const { token, call, workspaceId, exported } = await start();
  const content = Buffer.from('x'.repeat(200_000));
  const file = { token, workspaceId, name: 'seed list.txt', content };
  const { id: fileId, path } = (await upload(app, file)).body;
  await upload(app, { ...file, name: 'unused.txt' });
  const text = `# Tulips\n\n[Seeds](${String(path)})\r\n---\n`;
  const id = await newNote(call, workspaceId, {
    title: 'Plans: autumn',
    content: text,
    tags: ['a: b', '#c'],
    pinned: true,
  });
  await newNote(call, workspaceId, { title: 'plans: AUTUMN' });
  const trashed = await newNote(call, workspaceId, { title: 'Trashed' });
  await call('DELETE', `/api/notes/${trashed}`);
  const { body: note } = await call('GET', `/api/notes/${id}`);

  const response = await exported();
  expect(response.headers).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${workspaceId}.zip"`,
  });
  const files = await unzip(response.rawPayload);
  expect([...files.keys()]).toEqual([
    'workspace.yaml',
    'notes/Plans_ autumn.md',
    'notes/plans_ AUTUMN (2).md',
    `attachments/${String(fileId)}-seed list.txt`,
  ]);
  expect(String(files.get('workspace.yaml'))).toContain('name: Garden\n');
  expect(String(files.get('notes/Plans_ autumn.md'))).toBe(
    `---\nid: ${id}\ntitle: "Plans: autumn"\ntags:\n  - "a: b"\n  - "#c"\npinned: true\n` +
      `createdAt: ${String(note['createdAt'])}\nupdatedAt: ${String(note['updatedAt'])}\n---\n` +
      `# Tulips\n\n[Seeds](../attachments/${String(fileId)}-seed%20list.txt)\r\n---\n`,
  );
  expect(files.get(`attachments/${String(fileId)}-seed list.txt`)?.equals(content)).toBe(true);
});

test('writes a link to a note that was renamed so that it is found, and imported again', async () => {
  const { token, call, workspaceId, exported } = await start();
  const id = await newNote(call, workspaceId, { title: 'Tides' });
  const code = '`[[Tides]]`\n\n```\n[[Tides]]\n```\n';
  await newNote(call, workspaceId, {
    title: 'Log',
    content: `See [[Tides]] and [[tides|the sea]], not ${code}`,
  });
  const full = `[[Tides]]${'x'.repeat(51_191)}`;
  await newNote(call, workspaceId, { title: 'Full', content: full });
  await call('PATCH', `/api/notes/${id}`, { title: 'Tide tables' }, { 'if-match': '*' });
  const { rawPayload } = await exported();
  const files = await unzip(rawPayload);
  expect(String(files.get('notes/Full.md')).endsWith(full)).toBe(true);
  expect(String(files.get('notes/Log.md'))).toContain(
    `\nSee [[Tide tables|Tides]] and [[Tide tables|the sea]], not ${code}`,
  );
  const copyId = await newWorkspace(call, 'Copy');
  await importInto(app, token, copyId, rawPayload);
  const { body } = await call('GET', `/api/workspaces/${copyId}/notes?sort=title&order=asc`);
  const [, log, tides] = (body['data'] as { id: string }[]).map((note) => note.id);
  expect((await call('GET', `/api/notes/${log}/links`)).body).toEqual({
    data: [{ name: 'tide tables', noteId: tides, title: 'Tide tables' }],
  });
});

test('exports 1,000 notes twice, identical byte for byte', async () => {
  const { call, workspaceId, exported } = await start();
  for (let hundred = 0; hundred < 10; hundred += 1) {
    await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        newNote(call, workspaceId, { title: `Note ${n % 7}`, content: `${hundred} ${n}` }),
      ),
    );
  }
  const [first, second] = [await exported(), await exported()];
  expect((await unzip(first.rawPayload)).size).toBe(1001);
  expect(first.rawPayload.equals(second.rawPayload)).toBe(true);
});

test('exports notes that refer to more files than a statement has parameters', async () => {
  const { call, workspaceId, exported } = await start();
  for (let n = 0; n < 4; n += 1) {
    const paths = Array.from({ length: 9000 }, (_, at) => {
      const id = String(n * 9000 + at).padStart(26, '0');
      return `/api/attachments/fil_${id}/content`;
    });
    await newNote(call, workspaceId, { title: 'Many', content: paths.join('\n') });
  }
  expect((await unzip((await exported()).rawPayload)).size).toBe(5);
});

test('cuts the response off when a file cannot be read, so that it does not look complete', async () => {
  const { token, call, workspaceId, exported } = await start();
  const file = { token, workspaceId, name: 'a.txt', content: Buffer.from('a') };
  const { path } = (await upload(app, file)).body;
  await newNote(call, workspaceId, { title: 'A', content: String(path) });
  await using _broken = await app.breakStorage();
  await expect(exported()).rejects.toThrow(/destroyed|aborted|ENOTDIR/);
});

test('goes on without a file that is gone, and names it', async () => {
  const { token, call, workspaceId, exported } = await start();
  const file = { token, workspaceId, name: 'a.txt', content: Buffer.from('a') };
  const gone = (await upload(app, file)).body;
  const kept = (await upload(app, file)).body;
  await newNote(call, workspaceId, {
    title: 'A',
    content: `${String(gone['path'])} ${String(kept['path'])}`,
  });
  await app.storage.remove(String(gone['id']));
  const files = await unzip((await exported()).rawPayload);
  expect([...files.keys()].slice(2)).toEqual([
    `attachments/${String(kept['id'])}-a.txt`,
    'missing.yaml',
  ]);
  expect(String(files.get('missing.yaml'))).toBe(`- attachments/${String(gone['id'])}-a.txt\n`);
});

test('answers 404 to non-members', async () => {
  const { workspaceId } = await start();
  expect((await app.as()('GET', `/api/workspaces/${workspaceId}/export`)).status).toBe(404);
});

test.each(['removed', 'logged out'])('ends for a member who is %s meanwhile', async (how) => {
  const [owner, member] = [newUser(app, { plan: 'pro' }), newUser(app)];
  const tokenOf = ({ id: sub }: User, sid = newId('ses')) => app.issuer.issueToken({ sub, sid });
  const workspaceId = await newWorkspace(owner.call);
  await join(app, { owner, workspaceId, user: member });
  const files = { token: tokenOf(owner), workspaceId, content: randomBytes(1_000_000) };
  const uploads = ['a', 'b', 'c'].map((name) => upload(app, { ...files, name }));
  const paths = (await Promise.all(uploads)).map(({ body }) => String(body['path']));
  await newNote(owner.call, workspaceId, { title: 'A', content: paths.join(' ') });
  const sid = newId('ses');
  const response = await app.server.inject({
    url: `/api/workspaces/${workspaceId}/export`,
    headers: { authorization: `Bearer ${tokenOf(member, sid)}` },
    payloadAsStream: true,
  });
  expect(response.statusCode).toBe(200);
  // Nothing has been read yet: of the files, the first has been opened at most.
  if (how === 'logged out') app.revokeSession(sid);
  else await owner.call('DELETE', `/api/workspaces/${workspaceId}/members/${member.id}`);
  await expect(buffer(response.stream())).rejects.toThrow(/destroyed|aborted/);
});
