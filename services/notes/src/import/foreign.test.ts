import { Transformer } from '@napi-rs/image';
import { type ZipEntry, zip } from '@atrium/testkit/zip';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newWorkspace, startTestApp, type TestApp } from '../test-app.ts';
import { importInto } from './archive.fixture.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app[Symbol.asyncDispose]());

interface ImportedNote {
  id: string;
  title: string;
  tags: string[];
  content: string;
  createdAt: string;
  updatedAt: string;
}

async function importFolder(entries: ZipEntry[]) {
  const token = app.issuer.issueToken({ plan: 'pro' });
  const call = app.asToken(token);
  const workspaceId = await newWorkspace(call);
  const run = () => importInto(app, token, workspaceId, zip(entries));
  const done = await run();
  const notes = await app.database.prisma.note.findMany({
    where: { workspaceId },
    orderBy: { id: 'asc' },
  });
  const byTitle = new Map<string, ImportedNote>(
    notes.map((note) => [
      note.title,
      { ...note, createdAt: note.createdAt.toISOString(), updatedAt: note.updatedAt.toISOString() },
    ]),
  );
  const note = (title: string) => {
    const found = byTitle.get(title);
    if (found === undefined) throw new Error(`no ${title} among ${[...byTitle.keys()].join()}`);
    return found;
  };
  const { body } = await call('GET', `/api/workspaces/${workspaceId}/attachments`);
  const files = new Map(
    (body['data'] as { name: string; path: string }[]).map(({ name, path }) => [name, path]),
  );
  const activity = (await call('GET', `/api/workspaces/${workspaceId}/activity`)).body['data'];
  return { done, run, note, files, activity, titles: [...byTitle.keys()] };
}

const PIXELS = Transformer.fromRgbaPixels(Buffer.alloc(16, 200), 2, 2);

describe('a vault of Obsidian', () => {
  test('keeps its links, embeds, tags, folders and properties', async () => {
    const image = await PIXELS.png();
    const { done, run, note, files } = await importFolder([
      { path: 'Vault/.obsidian/app.json', content: '{}' },
      {
        path: 'Vault/Garden/Plan.md',
        content:
          '---\ntags: [garden, "#2026"]\naliases: [The plan]\ncreated: 2024-03-01T10:00:00Z\n---\n' +
          '![[bed.png|300]] ![[bed.png]] [[Seeds]] [[Seeds|those]] [[Garden/Tools#Saw]] [[Nowhere]] #spring/bulbs #12\n' +
          '`[[Seeds]] #code`\n```\n[[Seeds|x]]\n```\n',
      },
      {
        path: 'Vault/Garden/Tools.md',
        content: '[plan](Plan.md) [s](<../Seeds.md>) [w](https://a.example/x.md)',
      },
      { path: 'Vault/Seeds.md', content: 'tulips' },
      { path: 'Vault/files/bed.png', content: image },
      { path: 'Vault/files/unused.bin', content: 'x' },
    ]);
    expect(done).toMatchObject({
      state: 'completed',
      created: 3,
      source: null,
      skipped: [{ path: 'files/unused.bin', reason: 'No note refers to it' }],
    });
    const [plan, tools, seeds] = [note('Plan'), note('Tools'), note('Seeds')];
    const bed = files.get('bed.png');
    expect(plan.tags).toEqual(['garden', '2026', 'spring/bulbs', 'Garden']);
    expect(plan.createdAt).toBe('2024-03-01T10:00:00.000Z');
    expect(plan.content).toBe(
      '```yaml\naliases:\n  - The plan\n```\n\n' +
        `![bed.png](${bed}) ![bed.png](${bed}) [[Seeds]] [those](/notes/${seeds.id}) ` +
        `[Garden/Tools](/notes/${tools.id}) [[Nowhere]] #spring/bulbs #12\n` +
        '`[[Seeds]] #code`\n```\n[[Seeds|x]]\n```\n',
    );
    expect(tools.content).toBe(
      `[plan](/notes/${plan.id}) [s](/notes/${seeds.id}) [w](https://a.example/x.md)`,
    );
    expect(await run()).toMatchObject({ state: 'completed', created: 0, unchanged: 3 });
  });
});

describe('an export of Notion', () => {
  const hex = (digit: string) => digit.repeat(32);
  test('loses the ids in its names, and keeps its links', async () => {
    const folder = `Home ${hex('a')}`;
    const { done, note, files, titles } = await importFolder([
      {
        path: `${folder}.md`,
        content: `# Home: all of it\n\n[Sub (1)](Home%20${hex('a')}/Sub%20(1)%20${hex('b')}.md)\n`,
      },
      {
        path: `${folder}/Sub (1) ${hex('b')}.md`,
        content: `# Sub (1)\n\n![x](Sub%20${hex('b')}/a%20b.txt)\n[up](../Home%20${hex('a')}.md)`,
      },
      { path: `${folder}/Sub ${hex('b')}/a b.txt`, content: 'x' },
      { path: `${folder}/Tasks ${hex('c')}.csv`, content: 'a,b' },
    ]);
    expect(done.skipped).toEqual([
      { path: `${folder}/Tasks ${hex('c')}.csv`, reason: 'No note refers to it' },
    ]);
    expect(titles).toEqual(['Home: all of it', 'Sub (1)']);
    const [home, sub] = [note('Home: all of it'), note('Sub (1)')];
    expect(home.content).toBe(`[Sub (1)](/notes/${sub.id})\n`);
    expect(sub.content).toBe(`![x](${files.get('a b.txt')})\n[up](/notes/${home.id})`);
    expect(sub.tags).toEqual([]);
  });
});

describe('an export of Outline', () => {
  test('shows each title once, and a folder whose note is above as no tag', async () => {
    const { note } = await importFolder([
      { path: 'Garden/Beds.md', content: '# Beds\n\nFour of them' },
      { path: 'Garden/Beds/Roses.md', content: '\n# Roses \r\n\r\n# Red' },
      { path: 'Garden/Beds/Empty.md', content: '# Empty' },
      { path: 'Garden/Beds/Other.md', content: '# Tulips\n\nred' },
      { path: 'Garden/Beds/New/Lone.md', content: 'text' },
      { path: 'Garden/Beds/Form.md', content: '---\ntemplate: true\n---\ntext' },
      { path: 'Start.md', content: 'text' },
    ]);
    expect(note('Beds')).toMatchObject({ content: 'Four of them', tags: ['Garden'] });
    expect(note('Roses')).toMatchObject({ content: '# Red', tags: [] });
    expect(note('Empty')).toMatchObject({ content: '', tags: [] });
    expect(note('Other').content).toBe('# Tulips\n\nred');
    // These have no note above them.
    expect(note('Lone').tags).toEqual(['Garden/Beds/New']);
    expect(note('Form').tags).toEqual(['Garden/Beds']);
  });
});

describe('a folder of plain Markdown', () => {
  test('has titles by front matter or file name, and times by the archive', async () => {
    const { done, note, titles, activity } = await importFolder([
      { path: 'a.md', content: '---\ntitle: 2024\ntags: x, y\nupdated: nonsense\n---\r\n# H' },
      { path: 'b.markdown', content: '---\n---\ntext' },
      {
        path: `${'c'.repeat(250)}.md`,
        content: '',
        modifiedAt: new Date(Date.UTC(2024, 4, 6, 7, 8, 10)),
      },
    ]);
    expect(titles).toEqual(['2024', 'b', 'c'.repeat(200)]);
    expect(note('2024')).toMatchObject({ tags: ['x', 'y'], content: '# H' });
    expect(note('b')).toMatchObject({ content: 'text', createdAt: done.createdAt });
    expect(note('c'.repeat(200)).createdAt).toBe('2024-05-06T07:08:10.000Z');
    const created = { kind: 'note.created' };
    expect(activity).toMatchObject([{ kind: 'workspace.imported' }, created, created, created]);
  });
});
