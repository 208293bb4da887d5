import { text } from 'node:stream/consumers';
import { listen } from '@atrium/testkit/http-listener';
import { expect, test } from 'vitest';
import { sharedNotesAt } from './shared-notes.ts';

const DEADLINE_MS = 500;
const READER = { id: 'req_1', ip: '198.51.100.7' };
const readFrom = (url: string) =>
  sharedNotesAt(url, DEADLINE_MS).attachment('token', 'fil_1', READER);

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

test('a note is asked for again when a connection is lost, unless that might count a view twice', async () => {
  let requests = 0;
  await using notes = await listen((_request, response) => {
    requests += 1;
    response.destroy();
  });
  const shared = sharedNotesAt(notes.url, DEADLINE_MS);
  await expect(shared.read('token', READER)).rejects.toMatchObject({ status: 503 });
  expect(requests).toBe(2);
  await expect(shared.read('token', READER, { mayCount: true })).rejects.toMatchObject({
    status: 503,
  });
  expect(requests).toBe(3);
});
