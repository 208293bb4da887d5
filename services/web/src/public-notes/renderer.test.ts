import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createNoteRenderer } from './renderer.ts';

const SLOW = 'a*b**c '.repeat(10_000);
const SLOW_START = 'await new Promise((resolve) => setTimeout(resolve, 4500))';

/** The processes that this one has started and that still run. */
const children = async () =>
  (await readFile(`/proc/self/task/${process.pid}/children`, 'utf8')).split(' ').filter(Boolean);

test('a reader with many notes delays another one by a single note', async () => {
  await using renderer = createNoteRenderer({}, 60_000);
  const finished: string[] = [];
  const read = async (ip: string, name: string) => {
    await renderer.render({ content: `${name} ${SLOW}`, attachmentsAt: '' }, ip);
    finished.push(name);
  };
  const many = ['1', '2', '3', '4', '5', '6'].map((name) => read('192.0.2.1', name));
  await expect(read('192.0.2.1', 'one too many')).rejects.toMatchObject({ status: 503 });
  await Promise.all([...many, read('192.0.2.2', 'other')]);
  expect(finished).toEqual(['1', 'other', '2', '3', '4', '5', '6']);
});

test('answers 503 for a note that takes too long, again and for the next one too', async () => {
  await using renderer = createNoteRenderer({}, 1);
  for (const content of [SLOW, SLOW, `b ${SLOW}`]) {
    const rendering = renderer.render({ content, attachmentsAt: '' }, '127.0.0.1');
    await expect(rendering).rejects.toMatchObject({ status: 503 });
  }
});

test('answers 503 for a note that takes too much memory, and shows the next one', async () => {
  await using renderer = createNoteRenderer({}, 60_000);
  const render = (content: string) => renderer.render({ content, attachmentsAt: '' }, '127.0.0.1');
  const head = `|${'a|'.repeat(1000)}\n|${':-:|'.repeat(1000)}\n`;
  await expect(render(head + `${'|'.repeat(1001)}\n`.repeat(490))).rejects.toMatchObject({
    status: 503,
  });
  expect((await render('# Plans')).html).toContain('Plans');
});

test('answers 503 for a note that becomes too much HTML, and shows the next one in the same process', async () => {
  await using renderer = createNoteRenderer({}, 60_000);
  const render = (content: string) => renderer.render({ content, attachmentsAt: '' }, '127.0.0.1');
  const before = await children();
  await render('# First');
  const withRenderer = await children();
  expect(withRenderer).toHaveLength(before.length + 1);
  const link = `[a]: /b (${'"'.repeat(1000)})\n\n${'[a]\n'.repeat(1000)}`;
  await expect(render(`${link}\n${'"'.repeat(490_000)}`)).rejects.toMatchObject({ status: 503 });
  expect((await render('# Plans')).html).toContain('Plans');
  expect(await children()).toEqual(withRenderer);
});

test('gives a note its whole time, however long the process that renders takes to start', async () => {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(SLOW_START)}`;
  await using renderer = createNoteRenderer({ NODE_OPTIONS }, 4000);
  const rendering = renderer.render({ content: '# Plans', attachmentsAt: '' }, '127.0.0.1');
  expect((await rendering).html).toContain('Plans');
});

test('keeps the secrets of the service from the process that renders', async () => {
  const env = { A_SECRET: 'of the service', NODE_OPTIONS: '--expose-gc' };
  await using renderer = createNoteRenderer(env);
  const before = await children();
  await renderer.render({ content: '# First', attachmentsAt: '' }, '127.0.0.1');
  const [started] = (await children()).filter((id) => !before.includes(id));
  const variables = (await readFile(`/proc/${started}/environ`, 'utf8')).split('\0');
  expect(variables).toContain('NODE_OPTIONS=--expose-gc');
  expect(variables.filter((variable) => !/^(NODE_|MALLOC_|$)/.test(variable))).toEqual([]);
});

test('shows the next note at once when the process that renders is ended meanwhile', async () => {
  await using renderer = createNoteRenderer({}, 60_000);
  const render = (content: string) => renderer.render({ content, attachmentsAt: '' }, '127.0.0.1');
  const before = await children();
  await render('# First');
  const [started] = (await children()).filter((id) => !before.includes(id));
  process.kill(Number(started), 'SIGKILL');
  expect((await render('# Second')).html).toContain('Second');
});

test('answers 503 while no process can be started, and shows the note afterwards', async () => {
  const script = `
    import { closeSync, openSync } from 'node:fs';
    import { createNoteRenderer } from '${new URL('renderer.ts', import.meta.url).href}';
    await using renderer = createNoteRenderer({}, 60_000);
    const read = () => renderer.render({ content: '# Plans', attachmentsAt: '' }, '127.0.0.1');
    const files = [];
    try {
      for (;;) files.push(openSync('/dev/null'));
    } catch {}
    await read().catch(({ status }) => console.log(status));
    await renderer[Symbol.asyncDispose]();
    for (const file of files) closeSync(file);
    console.log((await read()).html.includes('Plans'));
  `;
  const limited = 'ulimit -n 128; exec "$0" --input-type=module --eval "$1"';
  const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, script]);
  expect(stdout).toBe('503\ntrue\n');
});
