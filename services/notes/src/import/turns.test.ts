import { zip } from '@atrium/testkit/zip';
import type { Import } from '@atrium/contracts/notes/imports';
import { createLogger } from '@atrium/service-kit/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { createImportDeps } from '../worker-app.ts';
import { readImport, upload } from './archive.fixture.ts';
import { runImports } from './run-imports.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

const ARCHIVE = zip(Array.from({ length: 3 }, (_, n) => ({ path: `${n}.md`, content: 'text' })));

/** An account that uploads an archive into each of some new workspaces. */
async function uploads(count: number) {
  const token = app.token();
  const imports: Import[] = [];
  for (let n = 0; n < count; n += 1) {
    const workspaceId = await newWorkspace(app.asToken(token));
    imports.push((await upload(app, token, workspaceId, ARCHIVE)).body);
  }
  const states = async () => {
    const found = await Promise.all(imports.map((it) => readImport(app, token, it)));
    return found.map(({ state }) => state);
  };
  return { ids: imports.map(({ id }) => id), states };
}

test('an account has one import running, whatever the number of workers', async () => {
  const [ada, bob] = [await uploads(3), await uploads(1)];
  const { imports } = createImportDeps(app);
  const leased = await Promise.all([1, 2, 3, 4].map(() => imports.lease()));
  const ids = leased.flatMap((it) => it?.id ?? []);
  expect(ids).toHaveLength(2);
  expect(new Set(ids)).toEqual(new Set([ada.ids[0], bob.ids[0]]));

  for (const it of leased) if (it !== null) await imports.finish(it, null);
  expect((await imports.lease())?.id).toBe(ada.ids[1]);
  expect(await imports.lease()).toBeNull();
  await app.database.query('DELETE FROM imports');
});

test('accounts take turns, also while one has a long archive', async () => {
  const [ada, bob] = [await uploads(2), await uploads(1)];
  const deps = createImportDeps(app);
  const steps: string[] = [];
  const imports = {
    ...deps.imports,
    async record(...args: Parameters<typeof deps.imports.record>) {
      await deps.imports.record(...args);
      steps.push(args[1].id);
    },
  };
  const logger = createLogger({ service: 'notes', level: 'silent' });
  await runImports({ ...deps, imports, turnMs: 0 }, logger, new AbortController().signal);
  const [first, second] = ada.ids;
  const [other] = bob.ids;
  // A turn is one step here, and the account whose turn is longest ago comes next.
  expect(steps.slice(0, 6)).toEqual([
    first,
    other,
    expect.any(String),
    other,
    expect.any(String),
    other,
  ]);
  expect(steps.filter((id) => id === first || id === second)).toHaveLength(6);
  expect([...(await ada.states()), ...(await bob.states())]).toEqual(Array(3).fill('completed'));
});
