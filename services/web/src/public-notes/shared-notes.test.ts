import { text } from 'node:stream/consumers';
import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { sharedNotesAt } from './shared-notes.ts';

const DEADLINE_MS = 500;
const readFrom = (url: string) =>
  sharedNotesAt(url, DEADLINE_MS).attachment('token', 'fil_1', {
    id: 'req_1',
    ip: '198.51.100.7',
  });

test('an attachment may take longer than the answer that begins it', async () => {
  await using notes = await listen((_request, response) => {
    response.writeHead(200).write('first, ');
    setTimeout(() => response.end('last'), 3 * DEADLINE_MS);
  });
  const { content } = await readFrom(notes.url);
  expect(await text(content)).toBe('first, last');
});

test('an attachment whose answer does not begin is given up', async () => {
  await using notes = await listen(() => undefined);
  await expect(readFrom(notes.url)).rejects.toMatchObject({ status: 503 });
});
