import { crc32, deflateSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import { expect, test } from 'vitest';
import { toDecodable } from './decodable.ts';
import { encodeImage } from './encode.ts';

const pixels = Buffer.from(
  Array.from({ length: 32 * 16 * 4 }, (_, index) => (index * index) % 251),
);
const picture = () => Transformer.fromRgbaPixels(pixels, 32, 16);
const encode = (upload: Buffer) => encodeImage(upload, (upright) => upright().png());

function pngChunk(type: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length);
  chunk.write(type, 4, 'latin1');
  data.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** Puts chunks between the header of a PNG and the rest. */
function withChunks(png: Buffer, ...chunks: Buffer[]): Buffer {
  const headerBytes = 33;
  return Buffer.concat([png.subarray(0, headerBytes), ...chunks, png.subarray(headerBytes)]);
}

function withExif(jpeg: Buffer, tiff: Buffer): Buffer {
  const segment = Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1');
  segment.writeUInt16BE(8 + tiff.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), segment, tiff, jpeg.subarray(2)]);
}

/** A TIFF file whose directory has one number. */
function tiff(byteOrder: 'II' | 'MM', tag: number, value: number): Buffer {
  const file = Buffer.alloc(26);
  const write16 = (number: number, at: number) =>
    byteOrder === 'II' ? file.writeUInt16LE(number, at) : file.writeUInt16BE(number, at);
  const write32 = (number: number, at: number) =>
    byteOrder === 'II' ? file.writeUInt32LE(number, at) : file.writeUInt32BE(number, at);
  file.write(byteOrder, 'latin1');
  write16(42, 2);
  write32(8, 4);
  write16(1, 8);
  write16(tag, 10);
  write16(3, 12);
  write32(1, 14);
  write16(value, 18);
  return file;
}

test('the colour profiles of a PNG are not decoded, wherever they are, and all else is', async () => {
  const png = await picture().png();
  const data = Buffer.concat([Buffer.from('profile\0\0'), deflateSync(Buffer.alloc(1_000_000))]);
  const profile = pngChunk('iCCP', data);
  const physical = pngChunk('pHYs', Buffer.alloc(9));
  const end = png.length - 12;
  const upload = withChunks(png, profile, physical, profile);
  expect(toDecodable(upload)).toEqual(withChunks(png, physical));
  const late = Buffer.concat([png.subarray(0, end), profile, png.subarray(end)]);
  expect(toDecodable(late)).toEqual(png);
  expect(await encode(upload)).toEqual(await encode(png));
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a photo of orientation %i is turned upright',
  async (value) => {
    const jpeg = await picture().jpeg(90);
    const expected = await new Transformer(jpeg).rotate(value).png();
    for (const byteOrder of ['II', 'MM'] as const) {
      expect(await encode(withExif(jpeg, tiff(byteOrder, 0x0112, value)))).toEqual(expected);
    }
  },
);

test('the decoder sees no EXIF of a photo but the orientation', async () => {
  const jpeg = await picture().jpeg(90);
  const plain = toDecodable(jpeg);
  for (const exif of [
    tiff('II', 0x0112, 0),
    tiff('MM', 0x0112, 9),
    tiff('MM', 0x9003, 6),
    tiff('II', 0x0112, 6).subarray(0, 15),
    Buffer.alloc(0),
  ]) {
    const upload = withExif(jpeg, exif);
    const prefixBytes = plain.length - jpeg.length + 2;
    expect(toDecodable(upload).subarray(0, prefixBytes)).toEqual(plain.subarray(0, prefixBytes));
    expect(await encode(upload)).toEqual(await encode(jpeg));
  }
});
