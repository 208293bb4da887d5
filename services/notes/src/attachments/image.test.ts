import { Transformer } from '@napi-rs/image';
import { expect, test } from 'vitest';
import { readImage } from './image.ts';

const MB = 1024 ** 2;
const png = await Transformer.fromRgbaPixels(new Uint8Array(4), 1, 1).png();
const upload = (accountId: string, content: AsyncIterable<Uint8Array>, sizeBytes = 20 * MB) =>
  readImage(content, { accountId, type: 'image/png', sizeBytes });

/** Some bytes, and then nothing until it is aborted. */
function unfinished(bytes: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody waits for it when the upload is refused.
  promise.catch(() => undefined);
  async function* content() {
    yield Buffer.alloc(bytes);
    await promise;
  }
  return { content: content(), abort: () => reject(new Error('aborted')) };
}

async function* whole() {
  yield png;
}

test('takes memory for what has arrived of an image, not for what its upload claims', async () => {
  const slow = Array.from({ length: 8 }, () => unfinished(1));
  const reads = slow.map(({ content }) => upload('slow', content));
  const ended = Promise.allSettled(reads);
  expect(await upload('quick', whole())).toBeInstanceOf(Buffer);
  for (const { abort } of slow) abort();
  expect((await ended).map(({ status }) => status)).toEqual(reads.map(() => 'rejected'));
});

test('leaves memory for others when one account sends many images', async () => {
  const slow = Array.from({ length: 3 }, () => unfinished(10 * MB));
  const ended = Promise.allSettled(slow.map(({ content }) => upload('slow', content)));
  expect(await upload('quick', whole())).toBeInstanceOf(Buffer);
  for (const { abort } of slow) abort();
  const reasons = (await ended).map((end) => end.status === 'rejected' && String(end.reason));
  expect(reasons.filter((reason) => String(reason).includes('busy'))).toHaveLength(1);
  expect(await upload('slow', whole())).toBeInstanceOf(Buffer);
});
