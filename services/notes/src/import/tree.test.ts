import { zip } from '@atrium/testkit/zip';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountCollections } from '../account-data/store.ts';
import { upload as attach } from '../attachments/attachments.fixture.ts';
import { type Caller, newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { levelOf, outlineOf } from '../tree/tree.fixture.ts';
import { exportOf, importInto } from './archive.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function newAccount() {
  const token = app.issuer.issueToken({ plan: 'pro' });
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call);
  const add = (title: string, parentId: string | null = null, content = '') =>
    newNote(call, workspaceId, { title, content, ...(parentId !== null && { parentId }) });
  const outline = () => outlineOf(call, workspaceId);
  return { token, call, workspaceId, add, outline };
}

async function templates(call: Caller, workspaceId: string) {
  const { body } = await call('GET', `/api/workspaces/${workspaceId}/templates`);
  return body['data'] as { id: string; title: string; parentId: string | null }[];
}

const archiveOf = (...paths: string[]) => zip(paths.map((path) => ({ path, content: 'text' })));

describe('a tree that is exported', () => {
  test('has the same bytes when it is imported and exported again', async () => {
    const first = await newAccount();
    const { add, call, token, workspaceId } = first;
    const file = { token, workspaceId, name: 'a b.txt', content: Buffer.from('a') };
    const { body } = await attach(app, file);
    const path = String(body['path']);
    const a = await add('A', null, path);
    const x = await add('A/x.md', a, `../${path} [a](${path})`);
    await add('Deep', x, path);
    await add('Other');
    // Names that would be the same, or ignored.
    await add('Below', await add('A.md'));
    await add('Below', await add('a'));
    await add('Below', await add('Thumbs.db'));
    let parentId = await add('Title '.repeat(30), null);
    for (let level = 2; level <= 10; level += 1) {
      parentId = await add('\u00e4'.repeat(200), parentId, path);
    }
    await call('POST', `/api/notes/${x}/copy`, { isTemplate: true });
    await call('POST', `/api/notes/${a}/place`, { parentId: null });

    const archive = await exportOf(app, token, workspaceId);
    const second = await newAccount();
    const imported = await importInto(app, second.token, second.workspaceId, archive);
    expect(imported).toMatchObject({ state: 'completed', skipped: [] });
    expect(await second.outline()).toBe(await first.outline());
    expect(await second.outline()).toMatch(/^Other A\.md\(Below\) .* A\(A\/x\.md\(Deep\)\)$/);
    const again = await exportOf(app, second.token, second.workspaceId);
    expect(again.equals(archive)).toBe(true);
  });
});

describe('an archive with folders', () => {
  test('puts what is in a folder below the note beside it, whatever comes first', async () => {
    const { token, workspaceId, outline } = await newAccount();
    const archive = archiveOf('A/B/C.md', 'A/B.md', 'A.md', 'Loose/D.md', 'E.md');
    await importInto(app, token, workspaceId, archive);
    expect(await outline()).toBe('A(B(C)) E D');
  });

  test('puts a template on the first level, where each export finds it', async () => {
    const { token, call, workspaceId } = await newAccount();
    const template = { path: 'A/T.md', content: '---\ntemplate: true\n---\ntext' };
    await importInto(app, token, workspaceId, zip([{ path: 'A.md', content: 'text' }, template]));
    const [imported] = await templates(call, workspaceId);
    expect(imported).toMatchObject({ title: 'T', parentId: null });
    // As imports once left them.
    await app.database.query(`UPDATE notes SET parent_id = 'note_gone' WHERE id = $1`, [
      imported?.id,
    ]);
    const second = await newAccount();
    const archive = await exportOf(app, token, workspaceId);
    await importInto(app, second.token, second.workspaceId, archive);
    expect(await templates(second.call, second.workspaceId)).toMatchObject([{ title: 'T' }]);
  });

  test('puts what is too deep on the first level', async () => {
    const { token, call, workspaceId } = await newAccount();
    const levels = Array.from({ length: 12 }, (_, n) => `${'n/'.repeat(n)}n.md`);
    const imported = await importInto(app, token, workspaceId, archiveOf(...levels));
    expect(imported).toMatchObject({ created: 12, skipped: [] });
    expect((await levelOf(call, workspaceId)).map(({ hasChildren }) => hasChildren)).toEqual([
      true,
      true,
    ]);
  });
});

test('the export of an account names the parent of each note', async () => {
  const { call, add } = await newAccount();
  const a = await add('A');
  const b = await add('B', a);
  const { body } = await call('GET', `/api/notes/${b}`);
  const [workspace] = await app.database.query<{ ownerId: string }>(
    'SELECT owner_id AS "ownerId" FROM workspaces WHERE id = $1',
    [body['workspaceId']],
  );
  const collections = new Map(accountCollections(app.database, workspace?.ownerId ?? ''));
  const notes: object[] = [];
  for await (const page of collections.get('notes') ?? []) notes.push(...page);
  expect(notes).toMatchObject([
    { id: a, parentId: null },
    { id: b, parentId: a },
  ]);
});
