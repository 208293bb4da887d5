import { createLogger } from '@atrium/service-kit/logger';
import { Transformer } from '@napi-rs/image';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { upload as attach } from '../attachments/attachments.fixture.ts';
import { createImportDeps } from '../worker-app.ts';
import { newNote, newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { runImports } from './run-imports.ts';
import { exportOf, importInto, readImport, upload } from './archive.fixture.ts';

/** 1,000 where the whole is to be shown; each note more takes about 20 ms. */
const NOTES = Number(process.env['IMPORT_NOTES'] ?? 60);

const SILENT = createLogger({ service: 'notes', level: 'silent' });

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

async function newAccount() {
  const token = app.issuer.issueToken({ plan: 'pro' });
  const call = app.asToken(token);
  return { token, call, workspaceId: await newWorkspace(call, 'Garden: "notes"') };
}

/** Notes of all kinds, every tenth with a file of its own. */
async function fill({ token, call, workspaceId }: Awaited<ReturnType<typeof newAccount>>) {
  const pixels = Transformer.fromRgbaPixels(Buffer.alloc(64 * 64 * 4, 200), 64, 64);
  const photo = await pixels.jpeg(70);
  let linked = '';
  for (let index = 0; index < NOTES; index += 1) {
    let content = `# ${index}\r\n\n---\n[[Plan]] {"a": ${index}} /notes/${linked} \u00e9e\u0301\n`;
    if (index % 10 === 0) {
      const isPhoto = index % 20 === 0;
      const name = isPhoto ? `pl\u00e4n (${index}).jpg` : `seeds e\u0301 ${index}.md`;
      const bytes = isPhoto ? photo : Buffer.from(`# file ${index}`);
      const { body } = await attach(app, { token, workspaceId, name, content: bytes });
      content += `![x](${String(body['path'])}) ${String(body['path'])}`;
    }
    linked = await newNote(call, workspaceId, {
      title: index % 7 === 0 ? 'Plan' : `#${index}: "quoted" \u2028 - yes`,
      content,
      tags: ['a: b', '#c', 'true', '1'],
      pinned: index % 5 === 0,
    });
    if (index === 1) await call('POST', `/api/notes/${linked}/copy`, { isTemplate: true });
  }
}

/** Interrupts the import after each of its steps. */
async function runOneStep() {
  const interruption = new AbortController();
  const deps = createImportDeps(app);
  const imports = {
    ...deps.imports,
    async record(...args: Parameters<typeof deps.imports.record>) {
      await deps.imports.record(...args);
      interruption.abort();
    },
  };
  const run = runImports({ ...deps, imports }, SILENT, interruption.signal);
  await expect(run).rejects.toThrow('aborted');
}

describe('an export that is imported into an empty account', () => {
  test(`has the same bytes when ${NOTES} notes are exported again`, async () => {
    const first = await newAccount();
    await fill(first);
    const archive = await exportOf(app, first.token, first.workspaceId);
    const second = await newAccount();
    const imported = await importInto(app, second.token, second.workspaceId, archive);
    const created = NOTES + 1;
    const total = created + Math.ceil(NOTES / 10);
    expect(imported).toMatchObject({
      state: 'completed',
      total,
      done: total,
      created,
      unchanged: 0,
      skipped: [],
      source: { name: 'Garden: "notes"', description: '' },
      error: null,
    });
    const again = await exportOf(app, second.token, second.workspaceId);
    expect(again.equals(archive)).toBe(true);
    const found = await second.call('GET', '/api/search?q=quoted&limit=1');
    expect(found.body['total']).toBe(NOTES - Math.ceil(NOTES / 7));

    for (const { token, workspaceId } of [first, second]) {
      const repeated = await importInto(app, token, workspaceId, archive);
      expect(repeated).toMatchObject({ state: 'completed', created: 0, unchanged: created });
      const exported = await exportOf(app, token, workspaceId);
      expect(exported.equals(archive)).toBe(true);
    }
  }, 600_000);

  test('is complete, once, after each interruption', async () => {
    const first = await newAccount();
    const { body } = await attach(app, { ...first, name: 'a.txt', content: Buffer.from('a') });
    for (let index = 0; index < 8; index += 1) {
      const content = index === 3 ? String(body['path']) : 'text';
      await newNote(first.call, first.workspaceId, { title: `N${index}`, content });
    }
    const archive = await exportOf(app, first.token, first.workspaceId);
    const second = await newAccount();
    const queued = await upload(app, second.token, second.workspaceId, archive);
    expect(queued.status).toBe(202);

    const progress: number[] = [];
    for (let run = 0; run < 9; run += 1) {
      await runOneStep();
      progress.push((await readImport(app, second.token, queued.body)).done);
    }
    expect(progress).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await app.runImports();
    expect(await readImport(app, second.token, queued.body)).toMatchObject({
      state: 'completed',
      done: 9,
      created: 8,
      unchanged: 0,
    });
    expect((await exportOf(app, second.token, second.workspaceId)).equals(archive)).toBe(true);
  });

  test('is not recorded twice by a worker whose lease has ended', async () => {
    const { token, call, workspaceId } = await newAccount();
    await newNote(call, workspaceId, { title: 'One' });
    const archive = await exportOf(app, token, workspaceId);
    const second = await newAccount();
    const { body } = await upload(app, second.token, second.workspaceId, archive);
    // Another worker leased it, and was killed.
    await app.database.query(
      `UPDATE imports SET attempt = 1, leased_until = now() + interval '1 hour' WHERE id = $1`,
      [body.id],
    );
    await app.runImports();
    expect(await readImport(app, second.token, body)).toMatchObject({ state: 'waiting', done: 0 });
    // Times are stored rounded to milliseconds, so now() may still be to come.
    await app.database.query(
      `UPDATE imports SET leased_until = now() - interval '1 s' WHERE id = $1`,
      [body.id],
    );
    await Promise.all([app.runImports(), app.runImports()]);
    expect(await readImport(app, second.token, body)).toMatchObject({ done: 1, created: 1 });
  });
});
