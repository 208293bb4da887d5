import { expect, test } from 'vitest';
import { createNoteRenderer } from './renderer.ts';

const SLOW = 'a*b**c '.repeat(10_000);

test('a reader with many notes delays another one by a single note', async () => {
  await using renderer = createNoteRenderer(60_000);
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
  await using renderer = createNoteRenderer(1);
  for (const content of [SLOW, SLOW, `b ${SLOW}`]) {
    const rendering = renderer.render({ content, attachmentsAt: '' }, '127.0.0.1');
    await expect(rendering).rejects.toMatchObject({ status: 503 });
  }
});
