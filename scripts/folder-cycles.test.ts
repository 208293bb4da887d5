import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderCycles } from './folder-cycles.ts';

let source: string;
beforeEach(async () => {
  source = await mkdtemp(join(tmpdir(), 'atrium-folders-'));
});
afterEach(() => rm(source, { recursive: true, force: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(source, name)), { recursive: true });
    await writeFile(join(source, name), text);
  }
}

test('finds no cycle in layers', async () => {
  await write({
    'app.ts': "import './sessions/routes.ts'; import './accounts/store.ts';",
    'sessions/routes.ts': "import { find } from '../accounts/store.ts'; import './token.ts';",
    'sessions/token.ts': '',
    'accounts/store.ts': "import type { Config } from '../config.ts'; import 'node:fs';",
    'config.ts': '',
  });
  expect(await folderCycles(source)).toEqual([]);
});

test('finds a cycle between folders whose files have none', async () => {
  await write({
    'accounts/store.ts': '',
    'accounts/routes.ts': "import '../sessions/revoke.ts';",
    'sessions/revoke.ts': '',
    'sessions/login.ts': "import '../accounts/store.ts';",
  });
  expect(await folderCycles(source)).toEqual([['accounts', 'sessions', 'accounts']]);
});

test.each([
  ['a type-only import', "import type { A } from '../a/a.ts';"],
  ['a re-export', "export { a } from '../a/a.ts';"],
  ['a dynamic import', "await import('../a/a.ts');"],
  ['an import of several lines', "import {\n  a,\n} from '../a/a.ts';"],
])('finds a cycle through %s', async (_title, text) => {
  await write({
    'a/a.ts': "import '../b/nested/b.ts';",
    'b/nested/b.ts': text.replace('../', '../../'),
  });
  expect(await folderCycles(source)).toEqual([['a', 'b/nested', 'a']]);
});

test('ignores the imports of tests', async () => {
  await write({
    'a/a.ts': "import '../b/b.ts';",
    'b/b.ts': '',
    'b/b.test.ts': "import '../a/a.ts';",
  });
  expect(await folderCycles(source)).toEqual([]);
});
