import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { folderCycles, upwardImports } from './folder-cycles.ts';

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
  ['a component', "import { A } from '../a/a.ts';", 'tsx'],
])('finds a cycle through %s', async (_title, text, type = 'ts') => {
  await write({
    'a/a.ts': `import '../b/nested/b.${type}';`,
    [`b/nested/b.${type}`]: text.replace('../', '../../'),
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

test('the list of the pages of an area composes its folders', async () => {
  await write({
    'notes/pages.ts': "import('./list/list.tsx');",
    'notes/list/list.tsx': "import '../after-paint.ts';",
    'notes/after-paint.ts': '',
  });
  expect(await folderCycles(source)).toEqual([]);
});

test('finds imports of a higher layer, and what is in no layer', async () => {
  await write({
    'main.tsx': "import './shell/palette.tsx';",
    'shell/palette.tsx': "import '../notes/search.ts';",
    'notes/search.ts': "import './list/note.tsx'; import '../ui/list.tsx';",
    'notes/list/note.tsx': "import type { Entry } from '../../shell/palette.tsx';",
    'ui/list.tsx': "const load = () => import('../notes/list/note.tsx');",
    'ui/row.tsx': "import '../main.tsx';",
    'new/page.tsx': '',
  });
  expect(await upwardImports(source, ['main.tsx', 'shell', 'notes', 'ui'])).toEqual([
    'new/page.tsx is in no layer',
    'notes/list/note.tsx -> shell/palette.tsx',
    'ui/list.tsx -> notes/list/note.tsx',
    'ui/row.tsx -> main.tsx',
  ]);
});
