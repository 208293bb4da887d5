import { Transformer } from '@napi-rs/image';
import { describe, expect, test } from 'vitest';
import { readImageHeader } from './header.ts';

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

describe('extended webp', () => {
  const canvas = (width: number, height: number) => {
    const data = Buffer.alloc(18);
    data.write('VP8X', 'latin1');
    data.writeUInt32LE(10, 4);
    data.writeUIntLE(width - 1, 12, 3);
    data.writeUIntLE(height - 1, 15, 3);
    return data;
  };
  const chunk = (type: string, size: number) => {
    const data = Buffer.alloc(8 + size + (size % 2));
    data.write(type, 'latin1');
    data.writeUInt32LE(size, 4);
    return data;
  };
  const riff = (...chunks: Buffer[]) => {
    const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
    const header = Buffer.from('RIFF\0\0\0\0');
    header.writeUInt32LE(body.length, 4);
    return Buffer.concat([header, body]);
  };
  const frames = {
    lossy: async () => (await formats.webp(300, 200)).subarray(12),
    lossless: async () => (await formats['lossless webp'](300, 200)).subarray(12),
  };

  test.each(Object.entries(frames))('reads a canvas with a %s frame', async (_kind, frame) => {
    const image = riff(canvas(300, 200), chunk('ICCP', 3), await frame(), chunk('EXIF', 4));
    expect(readImageHeader(image)).toEqual({ width: 300, height: 200 });
  });

  test.each(Object.entries(frames))('refuses a %s frame of another size', async (_kind, frame) => {
    const inner = await frame();
    expect(readImageHeader(riff(canvas(1, 1), inner))).toBeUndefined();
    expect(readImageHeader(riff(canvas(300, 1), chunk('ICCP', 3), inner))).toBeUndefined();
  });

  test('refuses animations, a canvas without a frame, and very many chunks', async () => {
    const frame = await frames.lossy();
    const many = Array.from({ length: 100 }, () => chunk('junk', 0));
    for (const chunks of [[chunk('ANMF', 16), frame], [], [...many, frame]]) {
      expect(readImageHeader(riff(canvas(300, 200), ...chunks))).toBeUndefined();
    }
  });
});

test('is undefined for anything else', () => {
  for (const text of ['', 'GIF89a', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'x'.repeat(99)]) {
    expect(readImageHeader(Buffer.from(text))).toBeUndefined();
  }
  expect(readImageHeader(Buffer.alloc(99, 0xff))).toBeUndefined();
});

test.each([0x00, 0x01, 0xd0, 0xd7, 0xd8, 0xd9])(
  'is undefined for a JPEG with marker %i before its frame, which has no length',
  async (marker) => {
    const jpeg = await formats.jpeg(300, 200);
    // The decoder goes on here; as a length, the first bytes lead to another frame behind it.
    const rest = jpeg.subarray(2);
    const padding = Buffer.alloc(rest.readUInt16BE(0) - rest.length);
    const frame = Buffer.from('\xff\xc0\0\x11\x08\0\x40\0\x40\x03', 'latin1');
    const parts = [jpeg.subarray(0, 2), Buffer.of(0xff, marker), rest, padding, frame];
    expect(readImageHeader(Buffer.concat(parts))).toBeUndefined();
  },
);
