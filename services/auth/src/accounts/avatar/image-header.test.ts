import { Transformer } from '@napi-rs/image';
import { describe, expect, test } from 'vitest';
import { readImageHeader } from './image-header.ts';

const pixels = (width: number, height: number) =>
  Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(99), width, height);

const sizes = [
  [1, 1],
  [300, 2],
  [257, 700],
] as const;
const formats = {
  png: (width: number, height: number) => pixels(width, height).png(),
  jpeg: (width: number, height: number) => pixels(width, height).jpeg(),
  webp: (width: number, height: number) => pixels(width, height).webp(80),
  'lossless webp': (width: number, height: number) => pixels(width, height).webpLossless(),
};

describe.each(Object.entries(formats))('%s', (_format, encode) => {
  test.each(sizes)('reads %i × %i', async (width, height) => {
    expect(readImageHeader(await encode(width, height))).toEqual({ width, height });
  });

  test('is undefined or unchanged when the file is cut off', async () => {
    const image = await encode(300, 200);
    for (let length = 0; length < Math.min(image.length, 700); length += 1) {
      const header = readImageHeader(image.subarray(0, length));
      expect(header ?? { width: 300, height: 200 }).toEqual({ width: 300, height: 200 });
    }
  });
});

test('is undefined for anything else', () => {
  for (const text of ['', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'x'.repeat(99)]) {
    expect(readImageHeader(Buffer.from(text))).toBeUndefined();
  }
  expect(readImageHeader(Buffer.alloc(99, 0xff))).toBeUndefined();
});
