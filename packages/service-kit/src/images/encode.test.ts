import { brotliDecompressSync } from 'node:zlib';
import { Transformer } from '@napi-rs/image';
import { expect, test } from 'vitest';
import { encodeImage } from './encode.ts';

const picture = (width: number, height: number) =>
  Transformer.fromRgbaPixels(new Uint8Array(width * height * 4).fill(99), width, height);

/**
 * A lossless WebP image of 8 × 8 pixels (3.8 MB) with 65,536 groups of prefix codes (RFC 9649 section 6.2.2),
 * of which it uses one: a decoder that builds tables for all takes 1.5 GB.
 */
const webpBomb = brotliDecompressSync(
  Buffer.from(
    'n0UgOvg/DO8Yj5bDxnSGBKFbzoSDhVjY2+AptD4XX9QAAVKAdXJ4wu90u3HzHJq3xU1cc9mUaWERSRuPRq1VFIlp' +
      'Ox+P5pm08WyPy+3TqS5Ksu2XwBTK1ebfAXS26fqHfb9flpPQjynAAmz0tNv1XDUojDkYCiq9ikZdFzoywAbOBh9L' +
      'Z5oy2F9bqC5/Oa3O/BNe8Ab90e8EcikiVKHfIw0hTarRooAp9e5bKJ3NgUBN3hvCPv7qMYa9158OVy82EAg=',
    'base64',
  ),
);

/** A JPEG's EXIF of one number. */
function exif(tag: number, value: number): Buffer {
  const segment = Buffer.from('\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01', 'latin1');
  const entry = Buffer.from('\0\0\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  entry.writeUInt16BE(tag, 0);
  entry.writeUInt16BE(value, 8);
  return Buffer.concat([segment, entry]);
}

test('a photo of 25 million pixels is encoded', async () => {
  const photo = await picture(5000, 5000).jpeg(85);
  const encoded = await encodeImage(photo, { type: 'image/webp', quality: 80, square: 512 });
  const { width, height, format } = await new Transformer(encoded).metadata();
  expect({ width, height, format }).toEqual({ width: 512, height: 512, format: 'webp' });
});

test('a small image that decodes to gigabytes is refused, and the next one is encoded', async () => {
  const bomb = encodeImage(webpBomb, { type: 'image/webp', quality: 80 });
  await expect(bomb).rejects.toMatchObject({ code: 'image-unusable' });
  const image = await picture(20, 10).png();
  expect(await encodeImage(image, { type: 'image/png', quality: 80 })).toEqual(image);
});

test.each([
  [6, { width: 10, height: 20 }],
  [3, { width: 20, height: 10 }],
])('a photo of orientation %i is turned upright, without its EXIF', async (orientation, size) => {
  const photo = await picture(20, 10).jpeg(85);
  const upload = Buffer.concat([
    photo.subarray(0, 2),
    exif(0x0112, orientation),
    photo.subarray(2),
  ]);
  const encoded = await encodeImage(upload, { type: 'image/jpeg', quality: 85 });
  expect(encoded.includes('Exif')).toBe(false);
  expect(await new Transformer(encoded).metadata()).toMatchObject(size);
});
